import type { DeviceReport } from '@tillbridge/wire/terminals/miura/reports.js';
import { KEYS } from '@tillbridge/wire/terminals/miura/tags.js';
import type { DeviceOutcome, Question } from '../core/driver.js';
import { endOfWait } from '../core/event-queue.js';
import { TIMED_OUT } from '../core/result.js';
import type { CardWatch } from './card-watch.js';
import { showText } from './device.js';
import type { MiuraLink } from './link.js';

/**
 * Waits for a key: the device reports each that is pressed (KEYBOARD STATUS). For digits it takes the number of a text in a file of its
 * owner (GET NUMERIC DATA), which is not published; it has no menus.
 */
export async function askPerson(
  link: MiuraLink,
  watch: CardWatch,
  question: Question,
): Promise<DeviceOutcome> {
  if (question.kind !== 'confirm') return { kind: 'unavailable' };
  const shown = await showText(link, question.text);
  if (shown) return shown;
  const key = await watch.next(keyOf, question.timeoutMs);
  if (typeof key === 'string') return endOfWait(key, TIMED_OUT);
  return { kind: 'answered', answer: { kind: 'confirm', confirmed: key.code === KEYS.enter } };
}

function keyOf(event: DeviceReport): Extract<DeviceReport, { kind: 'key' }> | undefined {
  return event.kind === 'key' ? event : undefined;
}
