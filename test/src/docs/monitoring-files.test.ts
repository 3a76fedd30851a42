import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../stack/layout.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const OPERATIONS = {
  gateway: read('gateway/docs/operations.md'),
  agent: read('agent/docs/operations.md'),
} as const;

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const PANELS = (
  JSON.parse(read('gateway/docs/grafana-dashboard.json')) as { readonly panels: readonly Panel[] }
).panels;
const RULES = (
  parse(read('gateway/docs/prometheus-rules.yml')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  }
).groups.flatMap(({ rules }) => rules);

/** Metrics that an expression reads and no page of the programs has. */
function unknownMetrics(expression: string): readonly string[] {
  return [...expression.matchAll(/\btillbridge_(gateway|agent)_(\w+)/g)].flatMap(
    ([whole, program, name = '']) => {
      const page = OPERATIONS[program as keyof typeof OPERATIONS];
      const documented = name.replace(/_(bucket|count|sum)$/, '');
      return new RegExp(`\\b${documented}\\b`).test(page) ? [] : [whole];
    },
  );
}

it('the dashboard reads metrics that there are, in panels that fit', () => {
  const expressions = PANELS.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions.flatMap(unknownMetrics)).toEqual([]);
  for (const { gridPos, title } of PANELS) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
});

it('the rules read metrics that there are, of agents, too', () => {
  expect(RULES.flatMap(({ expr }) => unknownMetrics(expr))).toEqual([]);
  expect(RULES.filter(({ expr }) => expr.includes('tillbridge_agent_')).length).toBeGreaterThan(3);
});
