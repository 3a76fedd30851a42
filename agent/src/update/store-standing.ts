import { localTime } from '@tillbridge/wire/text/local-time.js';
import type { DayWindow } from '../config/update.js';
import type { Before } from './machine/update-machine.js';

/** What of `GET /v1/status` decides whether the agent may be stopped, and whether a new one is well. */
export interface StoreStanding {
  readonly gateway: { readonly state: string };
  readonly journal: {
    readonly state: string;
    readonly detail?: string;
    readonly copy?: { readonly state: string };
  };
  readonly terminals: readonly {
    readonly id: string;
    readonly state: string;
    readonly runningReference?: string;
  }[];
  readonly queue: { readonly depth: number };
  readonly open: readonly string[];
}

const MINUTES_OF_HOUR = 60;

/** Whether a window of a day is open. Pure. */
export function isOpenAt({ fromMinute, toMinute }: DayWindow, atMs: number, timeZone: string): boolean {
  const { hour, minute } = localTime(atMs, timeZone);
  const now = hour * MINUTES_OF_HOUR + minute;
  return fromMinute < toMinute ? now >= fromMinute && now < toMinute : now >= fromMinute || now < toMinute;
}

/**
 * Whether the agent of a store may be stopped. A sale that has a terminal is always waited for; what waits for the gateway only outside of the
 * window. Pure.
 */
export function mayStop(
  { gateway, journal, terminals, queue, open }: StoreStanding,
  isInWindow: boolean,
): { readonly before: Before } | { readonly notYet: string } {
  const running = terminals.find(
    ({ state, runningReference }) => state === 'busy' || runningReference !== undefined,
  );
  if (running) return { notYet: `terminal ${running.id} runs a sale` };
  if (!isInWindow) {
    if (open.length > 0) return { notYet: `${open.length} sale(s) have no true end yet` };
    if (queue.depth > 0) return { notYet: `${queue.depth} message(s) wait for the gateway` };
    if (journal.copy && journal.copy.state !== 'in-sync')
      return { notYet: `the copy of the journal is ${journal.copy.state}` };
  }
  const ready = terminals.filter(({ state }) => state === 'ready').map(({ id }) => id);
  return { before: { linked: gateway.state === 'up', ready } };
}

/** What an agent lacks that it had before it was replaced; undefined where it is well. Pure. */
export function lacks({ gateway, journal, terminals }: StoreStanding, before?: Before): string | undefined {
  if (journal.state !== 'ready')
    return `its journal is ${journal.state}${journal.detail ? `: ${journal.detail}` : ''}`;
  const isWell = (id: string) =>
    terminals.some((each) => each.id === id && (each.state === 'ready' || each.state === 'busy'));
  const lost = before?.ready.find((id) => !isWell(id));
  if (lost !== undefined) return `terminal ${lost} was ready before, and is not`;
  if (before?.linked && gateway.state !== 'up')
    return `the link to the gateway was up before, and is ${gateway.state}`;
  return undefined;
}
