import { escapeHtml } from '@tillbridge/platform/http/post-page.js';
import type { ReceiptDocument, ReceiptLine } from './compose-receipt.js';
import { printable } from './receipt-lines.js';

const STYLE = `body{font:10pt/1.35 system-ui,sans-serif;max-width:76mm;margin:0 auto;padding:4mm;color:#000;background:#fff}
section{margin:0 0 .9em}p{margin:0}.center{text-align:center}.bold{font-weight:700}
.pair{display:flex;justify-content:space-between;gap:1em;overflow-wrap:anywhere}.pair span+span{text-align:right}
.signature{border-bottom:1px solid;padding:.6em 0 2.6em}`;

/** A receipt as a page to print or to send, without scripts. */
export function receiptHtml({ language, groups }: ReceiptDocument): string {
  const sections = groups.map((lines) => `<section>${lines.map(html).join('\n')}</section>`).join('\n');
  const title = groups.flat().find(({ kind }) => kind === 'heading');
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title?.kind === 'heading' ? safe(title.text) : ''}</title><style>${STYLE}</style></head>
<body>${sections}</body></html>
`;
}

function html(line: ReceiptLine): string {
  switch (line.kind) {
    case 'heading':
    case 'verdict':
      return `<p class="center bold">${safe(line.text)}</p>`;
    case 'center':
      return `<p class="center">${safe(line.text)}</p>`;
    case 'pair':
      return `<p class="pair"><span>${safe(line.name)}</span><span>${safe(line.value)}</span></p>`;
    case 'paragraph':
      return `<p>${safe(line.text)}</p>`;
    case 'signature':
      return `<p class="signature">${safe(line.name)}</p>`;
  }
}

function safe(text: string): string {
  return escapeHtml(printable(text));
}
