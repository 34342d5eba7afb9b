import type { PeopleMails } from "../accounts/deps.ts"
import { renderMail } from "./template.tsx"
import { words } from "./words.fr.ts"

export const peopleMails: PeopleMails = {
  invitation: ({ workspace, inviter, link, publicUrl }) =>
    renderMail({
      site: { name: words.serviceName, url: publicUrl },
      subject: words.invitationSubject({ workspace }),
      blocks: [
        { kind: "text", text: words.invitation({ workspace }) },
        ...(inviter === undefined ? [] : [{ kind: "text" as const, text: words.invitationBy({ inviter }) }]),
        { kind: "link", label: words.invitationLink, url: link },
        { kind: "text", text: words.invitationValid },
      ],
      footer: words.peopleFooter,
    }),
  passwordLink: ({ link, publicUrl }) =>
    renderMail({
      site: { name: words.serviceName, url: publicUrl },
      subject: words.passwordLinkSubject,
      blocks: [
        { kind: "text", text: words.passwordLink },
        { kind: "link", label: words.passwordLinkLabel, url: link },
        { kind: "text", text: words.passwordLinkValid },
      ],
      footer: words.peopleFooter,
    }),
  factorsRemoved: ({ workspace, by, publicUrl }) =>
    renderMail({
      site: { name: words.serviceName, url: publicUrl },
      subject: words.factorsRemovedSubject,
      blocks: [
        { kind: "text", text: by ? words.factorsRemovedBy({ workspace, by }) : words.factorsRemoved },
        { kind: "text", text: words.factorsRemovedMeans },
        { kind: "link", label: words.factorsAdd, url: `${publicUrl}/console/account/two-factor` },
      ],
      footer: words.peopleFooter,
    }),
}
