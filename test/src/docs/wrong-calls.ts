import type { Command } from 'commander';
import { codeOf, overPages, type Page } from './markdown.js';

interface Programs {
  readonly agent: Command;
  readonly gateway: Command;
}

/** Calls of programs of ours with a command or an option that they do not have. */
export function wrongCalls(pages: readonly Page[], { agent, gateway }: Programs): readonly string[] {
  return overPages(({ path, text }) => {
    const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
    const whole = lines.flatMap((line) =>
      [...line.matchAll(/tillbridge-(agent|gateway) ([a-z][^`|;&>)]*)/g)].map(([, name, rest = '']) => ({
        program: name === 'agent' ? agent : gateway,
        words: wordsOf(rest),
      })),
    );
    const own = path.startsWith('gateway/') ? gateway : path.startsWith('agent/') ? agent : undefined;
    const spans = codeOf(text).map((code) => ({ program: own, words: wordsOf(code) }));
    const short = spans.filter(({ program, words }) => {
      const group = program?.commands.find((each) => each.name() === words[0]);
      const [, second = ''] = words;
      return (
        group !== undefined &&
        (/^[a-z][a-z-]+$/.test(second) || (/^--/.test(second) && group.commands.length === 0))
      );
    });
    return [...whole, ...short].flatMap(({ program, words }) =>
      program && faultOf(program, words) ? [words.join(' ')] : [],
    );
  })(pages);
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\$\([^)]*\)|"[^"]*"|'[^']*'/g, 'VALUE')
    .replaceAll(/[[\]]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '…');

/** Whether a call names a command or an option that is not there. */
function faultOf(program: Command, words: readonly string[]): boolean {
  let at = program;
  let left = words;
  while (at.commands.length > 0 && left.length > 0 && !left[0]?.startsWith('-')) {
    const [name = ''] = left;
    if (!/^[a-z][a-z-]*$/.test(name)) return false;
    const names = name.split('|');
    const next = at.commands.find((each) => names.includes(each.name()));
    if (!next) return true;
    at = next;
    left = left.slice(1);
  }
  const options = new Set(['--help', '--version', ...at.options.flatMap(({ long }) => long ?? [])]);
  return left
    .filter((word) => word.startsWith('--') && word !== '--')
    .some((word) => !options.has(word.split('=', 1)[0] ?? ''));
}
