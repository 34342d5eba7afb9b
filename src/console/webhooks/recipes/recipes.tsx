import { Tag } from "../../kit/components.tsx"
import { Snippet } from "../../kit/forms/fields.tsx"
import { Head } from "../../kit/head.tsx"
import type { PageContext } from "../../kit/page-context.ts"
import { page } from "../../kit/shell.tsx"
import { words as webhooksWords } from "../words.fr.ts"
import { type Recipe, words } from "./recipes.fr.ts"

const address = "/console/webhooks/recipes"

/** How tools that are not programmed take what Guichet sends, and verify it. */
export function recipesPages() {
  return {
    page: async (context: PageContext) =>
      page(
        context,
        { title: words.title, current: "webhooks" },
        <>
          <Head title={words.title} back={{ href: "/console/webhooks", name: webhooksWords.webhooks }} />
          <p class="intro">{words.intro}</p>
          <p class="hint">{words.fields}</p>
          <p class="hint">{words.whySign}</p>
          {words.recipes.map((recipe: Recipe) => (
            <details key={recipe.name} class="options">
              <summary>
                {recipe.name} <Tag mood="plain">{recipe.tried ?? words.untried}</Tag>
              </summary>
              <ol>
                {recipe.steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
              <h2>{words.verifying}</h2>
              <p>{recipe.verifying}</p>
              {recipe.code && <Snippet label={words.code(recipe.name)} text={recipe.code} />}
            </details>
          ))}
        </>,
      ),
  }
}

export function RecipesLink() {
  return <a href={address}>{words.link}</a>
}
