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
 * Objects have no prototype, so that a name such as `__proto__` is a name like any other; indices that were left out leave no gap.
 */
export function echoOf({ values, rows }: Pick<Validated, 'values' | 'rows'>): Echo {
  const root = emptyObject();
  let hasLists = false;
  for (const [name, value] of values) {
    const row = rows.get(name);
    if (!row?.echoed || row.sensitive) continue;
    const steps = stepsOf(name, row.key !== undefined);
    hasLists ||= steps.some((step) => typeof step === 'number');
    place(root, steps, value);
  }
  return hasLists ? withoutGaps(root) : root;
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

function place(root: Echo, steps: readonly Step[], value: string): void {
  let slots: Record<Step, EchoValue> = root;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1];
    if (next === undefined) {
      slots[step] = value;
      return;
    }
    const known = slots[step];
    const child = typeof known === 'object' ? known : typeof next === 'number' ? [] : emptyObject();
    slots[step] = child;
    slots = child as Record<Step, EchoValue>;
  }
}

function withoutGaps(object: Echo): Echo {
  const copy = emptyObject();
  for (const [name, value] of Object.entries(object)) copy[name] = compact(value);
  return copy;
}

function compact(value: EchoValue): EchoValue {
  if (typeof value === 'string') return value;
  // `filter` passes over the holes of a sparse array.
  return Array.isArray(value) ? value.filter(() => true).map(compact) : withoutGaps(value);
}

function emptyObject(): Echo {
  return Object.create(null) as Echo;
}
