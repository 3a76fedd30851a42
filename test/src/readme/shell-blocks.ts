/** A block of a page that a reader may paste into a shell. */
interface ShellBlock {
  /** Line of the page that its first command stands on, from 1. */
  readonly line: number;
  readonly commands: string;
}

/** Languages of a block of commands. `sh` is the one that is run; the others would hide commands from the test. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'zsh', 'console']);

/**
 * The blocks of commands of a page in Markdown. What cannot be run as it stands (a placeholder, a device that is not here) is marked
 * `text` in the page, which a reader does not see.
 * @throws Error for another shell's name than `sh`, and for a block without an end
 */
export function shellBlocks(page: string): readonly ShellBlock[] {
  const blocks: ShellBlock[] = [];
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined;
  for (const [at, text] of page.split('\n').entries()) {
    const fence = /^\s*```+\s*(\S*)/.exec(text);
    if (!fence) {
      open?.lines.push(text);
    } else if (!open) {
      const [, language = ''] = fence;
      if (SHELLS.has(language) && language !== 'sh')
        throw new Error(`line ${at + 1}: write sh, not ${language}`);
      open = { language, line: at + 2, lines: [] };
    } else {
      if (open.language === 'sh') blocks.push({ line: open.line, commands: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`the block at line ${open.line - 1} has no end`);
  return blocks;
}

/**
 * A script of all blocks of a page in their order, as a reader pastes them into one shell. It ends at the first command that
 * fails; standard error then names the line of its block.
 * @param elsewhere commands that are tried elsewhere, and left out here
 */
export function scriptOf(blocks: readonly ShellBlock[], elsewhere: ReadonlySet<string>): string {
  const steps = blocks.flatMap(({ line, commands }) => {
    const left = commands.split('\n').filter((text) => !elsewhere.has(withoutComment(text)));
    return [`echo '-- line ${line}' >&2`, ...left];
  });
  return ['set -e', ...steps, ''].join('\n');
}

/** A line of a block without what explains it. */
export function withoutComment(text: string): string {
  return text.replace(/\s+#.*$/, '').trim();
}
