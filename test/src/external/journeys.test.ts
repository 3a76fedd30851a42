import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { WITH_HOST, WITHOUT_HOST } from './journeys.js';

it('runs every journey with the host, or gives a reason why not, here and in the docs', () => {
  const folder = join(ROOT, 'test', 'src', 'journeys');
  const ending = '.test.ts';
  const journeys = readdirSync(folder).filter((name) => name.endsWith(ending));
  const named = [...WITH_HOST, ...Object.keys(WITHOUT_HOST)];
  expect(named.map((name) => `${name}${ending}`).sort()).toEqual(journeys.sort());
  const page = readFileSync(join(ROOT, 'test', 'docs', 'journeys.md'), 'utf8');
  for (const [name, why] of Object.entries(WITHOUT_HOST)) {
    expect(page).toContain(`\`${name}\``);
    expect(page).toContain(why);
  }
});
