import { nearMatch } from '@tillbridge/wire/text/near-match.js';

/** The command line or the environment makes no sense; the text names what, and what was expected. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes of every command of the root's `package.json`. */
const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage, wrong configuration or a port in use.';
const USAGE_EXIT_CODE = 2;
const HELP = '--help';
/** Column at which explanations begin. */
const HELP_COLUMN = 20;

/** What an option is called on the left, and what it does. */
interface OptionSpec {
  /** What stands for its value, such as `N`; without one the option takes no value. */
  readonly value?: string;
  readonly help: string;
}

/** Names that may stand among options, and what each means. */
interface OperandSpec {
  /** What they are, such as `Suites`. */
  readonly title: string;
  /** Name and explanation; a form such as `PATH` where any text may stand. */
  readonly rows: readonly (readonly [name: string, help: string])[];
}

/** A command as a table: its help is made from it, and its arguments are read by it. */
export interface CommandSpec {
  /** What is typed before the arguments, such as `npm run fuzz --`. */
  readonly call: string;
  /** Ways to go on, such as `[--seconds N] [NAME…]`. */
  readonly forms: readonly string[];
  readonly summary: string;
  readonly operands?: OperandSpec;
  /** By name, with its hyphens. `--help` (`-h`) is added to them. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** More that a reader should know. */
  readonly notes?: readonly string[];
}

/** Arguments by the table of their command. */
export interface ParsedArguments {
  /** Options that were given; a flag has an empty value. */
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/** The text of `--help`. Pure. */
export function helpText(spec: CommandSpec): string {
  const { summary, operands, options, notes = [] } = spec;
  const optionRows = Object.entries(options).map(([name, { value, help }]) =>
    row(value === undefined ? name : `${name} ${value}`, help),
  );
  return [
    usage(spec),
    '',
    summary,
    ...(operands ? ['', `${operands.title}:`, ...operands.rows.map(([name, help]) => row(name, help))] : []),
    '',
    'Options:',
    ...optionRows,
    row('-h, --help', 'this text'),
    '',
    ...notes,
    EXIT_CODES,
  ].join('\n');
}

function row(name: string, help: string): string {
  // A long name has its explanation on the line below it.
  const lead = `  ${name}`;
  const begin = lead.length < HELP_COLUMN ? lead.padEnd(HELP_COLUMN) : `${lead}\n${' '.repeat(HELP_COLUMN)}`;
  return begin + help.split('\n').join(`\n${' '.repeat(HELP_COLUMN)}`);
}

function usage({ call, forms }: CommandSpec): string {
  return forms.map((form, at) => `${at === 0 ? 'usage:' : '      '} ${call} ${form}`).join('\n');
}

/** An error that ends with how the command is called. */
export function misuse(spec: CommandSpec, problem: string): UsageError {
  return new UsageError(`${problem}\n${usage(spec)}`);
}

/**
 * Reads arguments by the table of their command; `--name=value` is taken, too.
 * @returns `help` when it is requested, wherever it stands
 * @throws UsageError
 */
export function parseArguments(spec: CommandSpec, args: readonly string[]): ParsedArguments | 'help' {
  if (args.includes(HELP) || args.includes('-h')) return 'help';
  const options = new Map<string, string>();
  const operands: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (!arg.startsWith('-')) {
      operands.push(arg);
      continue;
    }
    const [name = '', inline] = splitAtEquals(arg);
    const option = optionOf(spec, name);
    if (options.has(name)) throw misuse(spec, `${name} is given twice`);
    options.set(name, takeValue(spec, name, option, inline, left));
  }
  const [unexpected] = operands;
  if (!spec.operands && unexpected !== undefined)
    throw misuse(
      spec,
      `"${unexpected}" is not expected${meant(`--${unexpected}`, Object.keys(spec.options))}`,
    );
  return { options, operands };
}

function splitAtEquals(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function optionOf(spec: CommandSpec, name: string): OptionSpec {
  const known = Object.keys(spec.options);
  const option = known.includes(name) ? spec.options[name] : undefined;
  if (option) return option;
  throw misuse(spec, `${name} is no option${meant(name, [...known, HELP])}`);
}

function takeValue(
  spec: CommandSpec,
  name: string,
  { value: form }: OptionSpec,
  inline: string | undefined,
  left: string[],
): string {
  if (form === undefined) {
    if (inline !== undefined) throw misuse(spec, `${name} takes no value`);
    return '';
  }
  const next = left[0];
  if (inline !== undefined) return inline;
  if (next === undefined || next.startsWith('--'))
    throw misuse(spec, `${name} needs a value: ${name} ${form}`);
  left.shift();
  return next;
}

/** The likely intent, as the end of a sentence. */
export function meant(written: string, known: readonly string[]): string {
  const near = nearMatch(written, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/**
 * The value of an option that takes a whole number; `preset` where it is not given.
 * @throws UsageError
 */
export function wholeNumber(
  spec: CommandSpec,
  { options }: ParsedArguments,
  name: string,
  { min, max, preset }: { readonly min: number; readonly max: number; readonly preset: number },
): number {
  const text = options.get(name);
  if (text === undefined) return preset;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw misuse(spec, `${name} takes a whole number from ${min} to ${max}; it is "${text}"`);
}

/** Runs a command to its end and sets the exit code of the process; help and misuse are printed. */
export async function runCommand(
  spec: CommandSpec,
  main: (args: ParsedArguments) => Promise<number> | number,
): Promise<void> {
  try {
    const args = parseArguments(spec, process.argv.slice(2));
    if (args === 'help') process.stdout.write(`${helpText(spec)}\n`);
    else process.exitCode = await main(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = USAGE_EXIT_CODE;
  }
}
