import type { Status, Terminal } from '../api/answers.js';
import { t } from '../texts/texts.js';

/** What staff calls a terminal: its name, else its id. */
export function terminalLabel({ id, name }: Pick<Terminal, 'id' | 'name'>): string {
  return name ?? t('terminalNamed', { id });
}

/** The same by its id, which may be that of a terminal that is gone. */
export function labelOf(status: Status | undefined, id: string): string {
  return terminalLabel(status?.terminals.find((each) => each.id === id) ?? { id });
}
