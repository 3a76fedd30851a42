/** Characters of a name at most. */
const MAX_NAME_LENGTH = 128;
/** Any parts of a pattern at most: each one makes reading a name slower. */
const MAX_ANY = 3;
/** What a name may be made of: nothing that leads to another folder, and nothing that a log or a terminal takes for a command. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Where the settlement day stands in a pattern, and how it is written there. */
const DAY_MARK = '{day}';
const DAY = '(\\d{4})-?(\\d{2})-?(\\d{2})';
const ANY = '[A-Za-z0-9._-]*';

/** A name that a pattern fits. */
export interface FittingName {
  /** Settlement day, `yyyyMMdd` as a number, where the pattern names it. */
  readonly day?: number;
}

/** Whether a text is a pattern of names: a name in which `*` stands for any part of it and `{day}` for a day, once. */
export function isNamePattern(text: string): boolean {
  const filled = text.replace(DAY_MARK, '0').replaceAll('*', '0');
  if (text.split('*').length - 1 > MAX_ANY) return false;
  return filled.length <= MAX_NAME_LENGTH && NAME.test(filled);
}

/** Reads names by a pattern, such as `settlement-{day}.csv`; undefined for those that it does not fit (pure). */
export function nameReader(pattern: string): (name: string) => FittingName | undefined {
  const escaped = pattern.replace(/[.-]/g, '\\$&').replaceAll('*', ANY).replace(DAY_MARK, DAY);
  const form = new RegExp(`^${escaped}$`);
  const hasDay = pattern.includes(DAY_MARK);
  return (name) => {
    const found = name.length <= MAX_NAME_LENGTH && NAME.test(name) ? form.exec(name) : null;
    if (!found) return undefined;
    if (!hasDay) return {};
    const [year = '', month = '', day = ''] = found.slice(1);
    return isDay(year, month, day) ? { day: Number(year + month + day) } : undefined;
  };
}

function isDay(year: string, month: string, day: string): boolean {
  const text = `${year}-${month}-${day}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
