import type { ComponentChildren } from "preact"
import { Form } from "./fields.tsx"

interface Props {
  action: string
  says: { remove: string; removeHint: string; removeConfirm: string }
  isOpen?: boolean
  children?: ComponentChildren
}

export function Removal({ action, says, isOpen, children }: Props) {
  return (
    <details class="danger" open={isOpen}>
      <summary>{says.remove}</summary>
      <p>{says.removeHint}</p>
      <Form action={action} confirm={says.removeConfirm} send={says.remove} look="grave">
        {children}
      </Form>
    </details>
  )
}
