import { createHash } from 'node:crypto';

/** Something that the landing page leads to. */
export interface LandingLink {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The look of the panels: the same colours, sizes and mark (protocol/panel-kit). */
const STYLE = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#f1f4f9,#10141b);color:light-dark(#1b2130,#eef1f7);font:.9375rem/1.45 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:clamp(2rem,12vh,7rem) 1rem 2rem}
h1{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin:0;font-size:1.375rem;letter-spacing:-.01em}
h1 svg{color:light-dark(#1f5fd0,#8ab4ff)}
.mode{padding:.125rem .5625rem;border-radius:1rem;background:light-dark(#fdf0d6,#3a2c10);color:light-dark(#704000,#f8d08e);font-size:.8125rem;font-weight:600;letter-spacing:0}
p{margin:.75rem 0 0}
.soft{color:light-dark(#556072,#a9b2c3)}
ul{display:grid;gap:.75rem;margin:1.5rem 0 0;padding:0;list-style:none}
li a{display:block;padding:1rem;border:1px solid light-dark(#dbe1ea,#2f3848);border-radius:.875rem;background:light-dark(#fff,#1a202b);color:inherit;text-decoration:none}
li a:hover{border-color:light-dark(#828c9d,#727c8f)}
a:focus-visible{outline:3px solid light-dark(#1f5fd0,#8ab4ff);outline-offset:2px}
strong{color:light-dark(#174ba8,#b6d0ff)}
code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.9em}
li span{display:block}`;

const MARK = `<svg width="32" height="32" viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="7" fill="currentColor"/><path d="M5 19.5h18M8 19.5v-3a6 6 0 0 1 12 0v3M5 11.5h18" fill="none" stroke="light-dark(#fff,#0b1220)" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** The page loads nothing and sends nothing. */
export const LANDING_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

/** The page of a gateway in test mode. @param links what this gateway has, in their order */
export function testPage(links: readonly LandingLink[]): string {
  const rows = links.map(
    ({ path, title, text }) =>
      `<li><a href="${path}"><strong>${title}</strong><span class="soft">${text}</span></a></li>`,
  );
  return page(
    ' <span class="mode">Test mode</span>',
    `<p class="soft">A payment gateway. No money moves here: cards, banks and acquirers are simulated.</p>
<ul>${rows.join('')}</ul>`,
  );
}

/** The page of a gateway in live mode: the name, and nothing that helps a stranger. */
export function livePage(): string {
  return page('', '');
}

function page(mode: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>tillbridge</title><style>${STYLE}</style></head>
<body><main><h1>${MARK}tillbridge${mode}</h1>
${body}</main></body></html>
`;
}
