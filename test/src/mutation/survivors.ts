/** A change of the code that no test notices, named so that moved lines keep its name. */
export interface Survivor {
  readonly file: string;
  /** The source line on which the change begins, without its indentation. */
  readonly line: string;
  /** What is changed, and into what. */
  readonly change: string;
  /** How often a change with these three stands in the file; 1 where absent. */
  readonly times?: number;
  /** Why no test can notice it, or need not. Empty: it is not judged yet. */
  readonly reason: string;
}

/** What is kept of a module between runs: `test/mutation/survivors/NAME.json`. */
export interface MutationRecord {
  /** How many changes were tried, and how many of them a test noticed. */
  readonly mutations: number;
  readonly found: number;
  readonly survivors: readonly Survivor[];
}

/** A mutation of a run, with the text of its file. */
export interface MutationResult {
  readonly file: string;
  readonly source: string;
  /** Lines and columns from 1, as Stryker gives them; the end is not part of it. */
  readonly location: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
  readonly replacement: string;
  readonly isFound: boolean;
}

/**
 * Whether a change was noticed by a timeout alone, be it of its run or of one test. A loop that passed its limit of rounds is none: that is
 * counted, and the same on each machine. Pure.
 * @param statusReason what Stryker gives: the message of the failed test, or why the run was ended
 */
export function isByTimeout({ status, statusReason = '' }: MutationStatus): boolean {
  if (status === 'Timeout') return !statusReason.startsWith('Hit limit reached');
  return status === 'Killed' && /^(?:Test|Hook) timed out in \d+ms/.test(statusReason);
}

interface MutationStatus {
  readonly status: string;
  readonly statusReason?: string | undefined;
}

/** Longest text of a change that is kept on each side of its arrow. */
const MAX_CHANGE_LENGTH = 90;

/** The name of a change. Pure. */
export function nameOf(result: MutationResult): Pick<Survivor, 'file' | 'line' | 'change'> {
  const { start, end } = result.location;
  const lines = result.source.split('\n').slice(start.line - 1, end.line);
  const line = (lines[0] ?? '').trim();
  const last = lines.length - 1;
  const cut = lines.map((text, at) =>
    text.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined),
  );
  return {
    file: result.file,
    line,
    change: `${shortened(cut.join(' '))} → ${shortened(result.replacement)}`,
  };
}

function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > MAX_CHANGE_LENGTH ? `${plain.slice(0, MAX_CHANGE_LENGTH)}…` : plain;
}

const keyOf = ({ file, line, change }: Pick<Survivor, 'file' | 'line' | 'change'>) =>
  `${file}\n${line}\n${change}`;

/** Survivors of a run, each with the reason that the record has for it. Pure. */
export function survivorsOf(
  results: readonly MutationResult[],
  known: readonly Survivor[],
): readonly Survivor[] {
  const reasons = new Map(known.map((each) => [keyOf(each), each.reason]));
  const found = new Map<string, Survivor>();
  for (const result of results) {
    if (result.isFound) continue;
    const name = nameOf(result);
    const key = keyOf(name);
    const before = found.get(key);
    const times = before ? (before.times ?? 1) + 1 : 1;
    found.set(key, { ...name, ...(times > 1 && { times }), reason: reasons.get(key) ?? '' });
  }
  return [...found.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Survivors that the record does not have, or has fewer times. Pure. */
export function newSurvivors(
  survivors: readonly Survivor[],
  known: readonly Survivor[],
): readonly Survivor[] {
  const times = new Map(known.map((each) => [keyOf(each), each.times ?? 1]));
  return survivors.filter((each) => (each.times ?? 1) > (times.get(keyOf(each)) ?? 0));
}
