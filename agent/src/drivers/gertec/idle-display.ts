import { displayLines, displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import { problemOf, type Result } from '../core/result.js';
import type { AbecsConfig } from './config.js';
import { REMOVE_CARD_MS } from './limits.js';
import type { AbecsLink, Reply } from './link.js';
import { answerOf } from './replies.js';

const LINE_BREAK = '\r';

/** CAN may end the request to remove the card: no failure. */
function problem(id: string, reply: Reply): Result<undefined> {
  return reply.kind === 'cancelled' ? undefined : problemOf(answerOf(id, reply));
}

/**
 * Ends a sale on the device: waits for the card to leave the slot (RMC), then CLX, which forgets tracks that GTK did not
 * fetch and leaves the text on the display.
 */
export async function endSale(link: AbecsLink, message: string): Promise<Result<undefined>> {
  const removed = problem('RMC', await link.classic('RMC', { RMC_MSG: message }, REMOVE_CARD_MS));
  if (removed?.failure === 'terminal-gone') return removed;
  const text = displayLines(message).join(LINE_BREAK).trim();
  return problem('CLX', await link.abecs('CLX', { SPE_DSPMSG: text })) ?? removed;
}

/** Opens the device after CLX and shows the idle text. */
export function showIdle(link: AbecsLink, config: AbecsConfig): Promise<Result<undefined>> {
  return showLines(link, config.idleLines);
}

/** Opens the device and shows two lines. */
export async function showLines(
  link: AbecsLink,
  lines: readonly [string, string],
): Promise<Result<undefined>> {
  const opened = problem('OPN', await link.blocks('OPN', []));
  if (opened) return opened;
  return problem('DSP', await link.classic('DSP', { DSP_MSG: displayMessage(...lines) }));
}
