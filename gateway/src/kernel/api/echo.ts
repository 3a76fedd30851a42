import type { Parameter } from './catalogue/rows/parameter.js';
import type { Validated } from './validate.js';

/** A structure of an answer: members nest as the dots of a name say; lists stand in the order of their indices. */
export interface Echo {
  [name: string]: EchoValue;
}
/** What such a structure holds. */
export type EchoValue = string | Echo | EchoValue[];

/** One step into a structure: a member's name, or an index. */
type Step = string | number;

/**
 * The structures of a request that its answer repeats: what the catalogue marks as echoed, never what is sensitive.
 * Objects whose names the sender chooses have no prototype, so that a name such as `__proto__` is a name like any other; indices that were
 * left out leave no gap.
 */
export function echoOf({ values, rows }: Pick<Validated, 'values' | 'rows'>): Echo {
  const root: Echo = {};
  let hasLists = false;
  for (const [name, value] of values) {
    const row = rows.get(name);
    if (!row?.echoed || row.sensitive) continue;
    const isMap = row.key !== undefined;
    const steps = row.name === name ? stepsOfRow(row) : stepsOf(name, isMap);
    hasLists ||= steps.some((step) => typeof step === 'number');
    place(root, steps, value, isMap);
  }
  return hasLists ? withoutGaps(root) : root;
}

/** The steps of rows whose name is one name. */
const STEPS = new WeakMap<Parameter, readonly Step[]>();

function stepsOfRow(row: Parameter): readonly Step[] {
  const known = STEPS.get(row) ?? stepsOf(row.name, false);
  STEPS.set(row, known);
  return known;
}

/** `cart.items[3].name` is cart, items, 3, name; `customParameters[a.b]` is customParameters, a.b. */
function stepsOf(name: string, isMap: boolean): readonly Step[] {
  const bracket = name.indexOf('[');
  if (bracket < 0) return name.split('.');
  if (isMap) return [...name.slice(0, bracket).split('.'), name.slice(bracket + 1, -1)];
  return name.split('.').flatMap((part): Step[] => {
    const indexed = /^(.*)\[(\d+)\]$/.exec(part);
    return indexed ? [indexed[1] ?? '', Number(indexed[2])] : [part];
  });
}

/** @param isMap the last step is a name that the sender has chosen */
function place(root: Echo, steps: readonly Step[], value: string, isMap: boolean): void {
  let slots: Record<Step, EchoValue> = root;
  const last = steps.length - 1;
  for (let at = 0; at < last; at += 1) {
    const step = steps[at] ?? '';
    const known = slots[step];
    const made = () => (typeof steps[at + 1] === 'number' ? [] : isMap && at + 1 === last ? anyNames() : {});
    const child = typeof known === 'object' ? known : made();
    slots[step] = child;
    slots = child as Record<Step, EchoValue>;
  }
  slots[steps[last] ?? ''] = value;
}

function withoutGaps(object: Echo): Echo {
  const copy: Echo = Object.getPrototypeOf(object) === null ? anyNames() : {};
  for (const [name, value] of Object.entries(object)) copy[name] = compact(value);
  return copy;
}

function compact(value: EchoValue): EchoValue {
  if (typeof value === 'string') return value;
  // `filter` passes over the holes of a sparse array.
  return Array.isArray(value) ? value.filter(() => true).map(compact) : withoutGaps(value);
}

/** An object for names that the sender chooses. */
function anyNames(): Echo {
  return Object.create(null) as Echo;
}
