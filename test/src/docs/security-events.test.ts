import { readFileSync } from 'node:fs';
import { SECURITY_EVENTS } from '@tillbridge/platform/log/security-events.js';
import { expect, it } from 'vitest';

const PAGES = ['gateway/docs/logs.md', 'agent/docs/logs.md'];

/** The names in the first column of the tables of security events. */
function documented(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const rows = text.slice(text.indexOf('| `securityEvent` |')).split('\n').slice(2);
  return rows.flatMap((row) =>
    [...(/^\|([^|]*)\|/.exec(row)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

it('every security event is on the page of its program, and the pages have no other', () => {
  const names = new Set(PAGES.flatMap(documented));
  expect([...names].sort()).toEqual(Object.keys(SECURITY_EVENTS).sort());
});
