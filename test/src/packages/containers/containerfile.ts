/** An instruction of a Containerfile. */
export interface Instruction {
  /** Line that it begins on, from 1. */
  readonly line: number;
  /** Such as `RUN`. */
  readonly name: string;
  readonly text: string;
}

/** Instructions that our files use. Source: Containerfile(5). */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    'ARG',
    'FROM',
    'COPY',
    'RUN',
    'ENV',
    'USER',
    'WORKDIR',
    'VOLUME',
    'EXPOSE',
    'STOPSIGNAL',
    'HEALTHCHECK',
  ],
  ...['ENTRYPOINT', 'CMD'],
]);
/** Those whose text is a list of words in JSON. */
const LISTS: ReadonlySet<string> = new Set(['VOLUME', 'ENTRYPOINT', 'CMD']);

/** A line of a Containerfile is wrong; the message has its number. */
export class ContainerfileError extends Error {
  override readonly name = 'ContainerfileError';
}

/** The instructions of a Containerfile in their order. Pure. @throws ContainerfileError */
export function instructionsOf(source: string): readonly Instruction[] {
  const found: Instruction[] = [];
  const lines = source.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    if (/^\s*(#.*)?$/.test(lines[at] ?? '')) continue;
    let text = '';
    for (; /\\\s*$/.test(lines[at] ?? ''); at += 1) text += `${(lines[at] ?? '').replace(/\\\s*$/, '')} `;
    text += lines[at] ?? '';
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/s.exec(text.trim()) ?? [];
    if (!KNOWN.has(name)) throw new ContainerfileError(`line ${line}: no instruction that is known: ${text}`);
    if (LISTS.has(name)) wordsOf({ line, name, text: rest });
    found.push({ line, name, text: rest });
  }
  if (found.find(({ name }) => name !== 'ARG')?.name !== 'FROM')
    throw new ContainerfileError('FROM has to come first');
  return found;
}

/** The words of a list. @throws ContainerfileError */
export function wordsOf({ line, name, text }: Instruction): readonly string[] {
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // Reported below.
  }
  throw new ContainerfileError(`line ${line}: ${name} needs a list of words in JSON`);
}

/** The command of a health check. @throws ContainerfileError */
export function healthCommand(instructions: readonly Instruction[]): readonly string[] {
  const check = instructions.find(({ name }) => name === 'HEALTHCHECK');
  const [, options = '', list = ''] = /^((?:--[a-z-]+=\S+\s+)*)CMD\s+(.*)$/s.exec(check?.text ?? '') ?? [];
  if (!check || list === '') throw new ContainerfileError('HEALTHCHECK with CMD is missing');
  return wordsOf({ ...check, name: `HEALTHCHECK ${options}`, text: list });
}

/** The last instruction of a name, as the image has it. */
export function lastOf(instructions: readonly Instruction[], name: string): Instruction | undefined {
  return instructions.findLast((each) => each.name === name);
}
