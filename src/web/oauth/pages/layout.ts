import { html, type Html } from './html.js';
import { stylesheet } from './stylesheet.js';

/**
 * A whole page.
 * @param title heading and title in one; previews and histories keep it, so nothing that is secret
 */
export function layout(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · toolledger</title>
<style>${stylesheet}</style>
</head>
<body>
<main>
<p class="product">toolledger</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
