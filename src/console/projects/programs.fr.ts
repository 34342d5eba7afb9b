export const words = {
  programs: "Programmes et assistants d’IA",
  programsHint:
    "Ce que vous ouvrez ici, tout programme peut le lire sans mot de passe, comme un visiteur lit votre site.",
  mcp: "Serveur MCP",
  mcpHint:
    "Claude, VS Code, Cursor et d’autres y posent des questions, cherchent des passages et lisent les pages. Ils ont au plus le quart des questions du jour et du mois.",
  llms: "Fichiers llms.txt et llms-full.txt",
  llmsHint:
    "La liste des pages indexées et leur texte, en Markdown, à des URL que chacun peut lire. Votre site peut les publier sous ses propres URL.",
  address: "URL du serveur MCP",
  adding: "Pour l’ajouter",
  claude: "Claude Code\u00a0:",
  vsCode: "VS Code, fichier .vscode/mcp.json\u00a0:",
  cursor: "Cursor, fichier .cursor/mcp.json\u00a0:",
}
