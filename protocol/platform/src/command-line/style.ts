/** How a command's text is emphasized for a person at a terminal. */
export interface Style {
  /** Heads of a table. */
  head(text: string): string;
  /** A line below the heads of a table, of this width; undefined: none. */
  rule(width: number): string | undefined;
  /** A word for a state, in the colour of what it means; another text stays as it is. */
  state(text: string): string;
}

/** Plain text: for pipes, files and terminals that want no colours. */
export const PLAIN: Style = { head: (text) => text, rule: () => undefined, state: (text) => text };

const BOLD = 1;
const RED = 31;
const GREEN = 32;
const YELLOW = 33;

/** Colours of states: what is as it should be, what a person has to look at, what is not known yet. */
const COLOURS: Readonly<Record<string, number>> = Object.fromEntries([
  ...words('approved ready up yes ok sound in-sync active done', GREEN),
  ...words(
    'declined failed expired parked down disconnected unavailable revoked suspended locked critical open to-do PROBLEM',
    RED,
  ),
  ...words('unknown reversing reversed cancelled connecting busy waiting behind warning WARNING', YELLOW),
]);

function words(all: string, colour: number): (readonly [string, number])[] {
  return all.split(' ').map((word) => [word, colour] as const);
}

const COLOURED: Style = {
  head: (text) => paint(text, BOLD),
  rule: (width) => '─'.repeat(width),
  state: (text) => {
    const colour = Object.hasOwn(COLOURS, text) ? COLOURS[text] : undefined;
    return colour === undefined ? text : paint(text, colour);
  },
};

function paint(text: string, code: number): string {
  return `\u001b[${code}m${text}\u001b[0m`;
}

/** The style of a standard output: colours only on a terminal, and not where `NO_COLOR` (no-color.org) or a dumb terminal forbids them. */
export function styleFor(env: NodeJS.ProcessEnv, isTerminal: boolean | undefined): Style {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN;
}
