/** A command line as completions read it: what commander knows of a command. */
export interface CompletedCommand {
  name(): string;
  description(): string;
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
  /** Commander has no other name for a command that its help leaves out. */
  readonly _hidden?: boolean;
  readonly registeredArguments: readonly { readonly argChoices?: readonly string[] | undefined }[];
}

interface CompletedOption {
  readonly long?: string | null | undefined;
  readonly hidden: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly argChoices?: readonly string[] | undefined;
}

/** Shells that there are completions for. */
export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish'] as const;
/** One of them. */
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

/** A word that may come next, and what it means. */
type Word = readonly [word: string, meaning: string];

/** What may follow the names of a command. */
interface Level {
  /** Names of the command, each with a blank in front; empty: the program itself. */
  readonly at: string;
  readonly words: readonly Word[];
  /** Names of the commands below. */
  readonly below: readonly string[];
  /** Options with a value, and the values where there are a few fixed ones. */
  readonly values: readonly (readonly [option: string, choices: readonly string[]])[];
}

/** The completion of a program for a shell, made of its commands. Pure. */
export function completionScript(shell: CompletionShell, program: CompletedCommand): string {
  return WRITERS[shell](program.name(), levelsOf(program, ''));
}

function levelsOf(command: CompletedCommand, at: string): readonly Level[] {
  const { registeredArguments } = command;
  const commands = command.commands.filter(({ _hidden }) => !_hidden);
  const options = command.options.filter(({ hidden, long }) => !hidden && long);
  const below = commands.map((each): Word => [each.name(), firstSentence(each.description())]);
  const choices = registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((name): Word => [name, '']),
  );
  const flags = options.map(({ long, description }): Word => [long ?? '', firstSentence(description)]);
  const help: Word = ['--help', 'show the help'];
  const level: Level = {
    at,
    words: [...below, ...choices, ...flags, help],
    below: below.map(([name]) => name),
    values: options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, argChoices = [] }) => [long ?? '', argChoices] as const),
  };
  return [level, ...commands.flatMap((each) => levelsOf(each, `${at} ${each.name()}`))];
}

/** Short enough for a list. */
function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/[.;:](?:\s|$)|\n/);
  // A bracket may be open where it was cut.
  return sentence
    .replace(/\s*\([^)]*$/, '')
    .replaceAll(/[`"$\\]/g, '')
    .trim();
}

/** A text in single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text in single quotes of fish, which has another escape. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}

const functionName = (program: string): string => `_${program.replaceAll('-', '_')}`;
/** Every command's names, as a pattern of `case`. */
const knownNames = (levels: readonly Level[]): string =>
  levels
    .filter(({ at }) => at !== '')
    .map(({ at }) => quoted(at))
    .join('|');

const WRITERS: Readonly<Record<CompletionShell, (program: string, levels: readonly Level[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(program: string, levels: readonly Level[]): string {
  const name = functionName(program);
  const cases = levels.map(
    ({ at, words }) => `    ${quoted(at)}) words=${quoted(words.map(([word]) => word).join(' '))} ;;`,
  );
  const values = levels.flatMap(({ at, values: ofLevel }) =>
    ofLevel.map(
      ([option, choices]) => `    ${quoted(`${at} ${option}`)}) words=${quoted(choices.join(' '))} ;;`,
    ),
  );
  return `# Completion of ${program} for bash: source <(${program} completion bash)
${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${knownNames(levels)}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at $before" in
${values.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F ${name} ${program}
`;
}

function zshScript(program: string, levels: readonly Level[]): string {
  const name = functionName(program);
  const pair = ([word, meaning]: Word): string =>
    quoted(meaning === '' ? word : `${word}:${meaning.replaceAll(':', ' ')}`);
  const cases = levels.map(
    ({ at, words }) => `    (${quoted(at)}) offered=(${words.map(pair).join(' ')}) ;;`,
  );
  const values = levels.flatMap(({ at, values: ofLevel }) =>
    ofLevel.map(
      ([option, choices]) =>
        `    (${quoted(`${at} ${option}`)}) offered=(${choices.map(quoted).join(' ')}) ;;`,
    ),
  );
  return `#compdef ${program}
# Completion of ${program} for zsh: source <(${program} completion zsh)
${name}() {
  local at='' each
  local -a offered
  for each in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $each" in
      (${knownNames(levels)}) at="$at $each" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  (( \${#offered} )) && _describe ${quoted(program)} offered || _files
}
if [ "\${funcstack[1]}" = ${quoted(name)} ]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function fishScript(program: string, levels: readonly Level[]): string {
  const name = `_${functionName(program)}_at`;
  const known = levels.filter(({ at }) => at !== '').map(({ at }) => fishQuoted(at));
  const lines = levels.flatMap(({ at, words, values }) => {
    const when = `complete -c ${program} -n ${fishQuoted(`${name} "${at}"`)}`;
    return words.map(([word, meaning]) => {
      const about = meaning === '' ? '' : ` -d ${fishQuoted(meaning)}`;
      if (!word.startsWith('--')) return `${when} -f -a ${fishQuoted(word)}${about}`;
      const value = values.find(([option]) => option === word);
      const choices = value?.[1] ?? [];
      const from = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : value ? ' -r' : '';
      return `${when} -l ${word.slice(2)}${from}${about}`;
    });
  });
  return `# Completion of ${program} for fish: ${program} completion fish | source
function ${name}
    set -l at ''
    for each in (commandline -opc)[2..-1]
        if contains -- "$at $each" ${known.join(' ')}
            set at "$at $each"
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
