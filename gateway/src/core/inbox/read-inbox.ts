import { present } from '@tillbridge/wire/present.js';
import type { InboxKind } from '../../kernel/api/catalogue/administration/inbox.js';
import {
  INBOX_LIMITS,
  type InboxAction,
  type InboxItem,
  type InboxScope,
  type InboxSource,
} from './inbox-source.js';

/** What a page is limited to. */
export interface InboxFilter {
  readonly kind?: string;
  readonly agentId?: string;
  readonly severity?: string;
  /** Where the page before ended. */
  readonly after?: string;
  readonly limit: number;
}

/** A thing that needs a person, as it is shown; times are ISO 8601 UTC. */
interface InboxItemView
  extends Pick<InboxItem, 'kind' | 'id' | 'severity' | 'agentId' | 'paymentId' | 'text' | 'detail'> {
  readonly entityId?: string;
  readonly since: string;
  readonly until?: string;
  readonly acknowledgedAt?: string;
  readonly note?: string;
  readonly action: InboxAction;
}

/** A page of the inbox. */
export interface InboxPage {
  readonly items: readonly InboxItemView[];
  /** Of each kind that has some, whatever kind and severity the page is limited to. */
  readonly counts: Readonly<Partial<Record<InboxKind, number>>>;
  /** Kinds that have more than are shown at once. */
  readonly more: readonly InboxKind[];
  readonly next?: string;
}

/** A page of what needs a person: the critical first, of these the oldest. @throws StoreUnavailableError */
export async function readInbox(
  sources: readonly InboxSource[],
  scope: InboxScope,
  { kind, agentId, severity, after, limit }: InboxFilter,
): Promise<InboxPage> {
  const lists = await Promise.all(sources.map((source) => source.list(scope)));
  const ofStore = lists.flat().filter((item) => agentId === undefined || item.agentId === agentId);
  const counts: Partial<Record<InboxKind, number>> = {};
  for (const item of ofStore) counts[item.kind] = (counts[item.kind] ?? 0) + 1;
  const keyed = ofStore
    .filter((item) => kind === undefined || item.kind === kind)
    .filter((item) => severity === undefined || item.severity === severity)
    .map((item) => ({ key: keyOf(item), item }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = keyed.slice(0, limit);
  const more = sources.filter((_, at) => (lists[at]?.length ?? 0) >= INBOX_LIMITS.perSource);
  return {
    items: page.map(({ item }) => viewOf(item)),
    counts,
    more: more.map((source) => source.kind),
    ...present({ next: keyed.length > limit ? page.at(-1)?.key : undefined }),
  };
}

/** Digits of a time in milliseconds, until the year 2286. */
const TIME_DIGITS = 13;

/** The place of a thing in the order: it stays the same while others come and go. */
function keyOf({ severity, sinceMs, kind, id }: InboxItem): string {
  return `${severity === 'critical' ? 0 : 1}.${String(sinceMs).padStart(TIME_DIGITS, '0')}.${kind}.${id}`;
}

function viewOf({ entityId, sinceMs, untilMs, acknowledged, action, ...item }: InboxItem): InboxItemView {
  return {
    ...item,
    since: timeOf(sinceMs),
    ...present({
      entityId,
      until: untilMs === undefined ? undefined : timeOf(untilMs),
      acknowledgedAt: acknowledged && timeOf(acknowledged.atMs),
      note: acknowledged?.note,
    }),
    action,
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
