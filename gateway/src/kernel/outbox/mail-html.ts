import { escapeHtml } from '@tillbridge/platform/http/post-page.js';

/**
 * The text of an e-mail as a simple document of HTML, for readers that show that first: paragraphs and lines as in the text, in the direction of their
 * own words. It loads nothing, links nothing, and no text in it becomes markup. Pure.
 */
export function mailHtml(text: string): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((each) => each.trim() !== '')
    .map((each) => `<p dir="auto">${each.trim().split('\n').map(escapeHtml).join('<br>')}</p>`);
  return `<!doctype html>
<html><head><meta charset="utf-8"></head>
<body style="font:1rem/1.5 system-ui,sans-serif">${paragraphs.join('\n')}</body></html>
`;
}
