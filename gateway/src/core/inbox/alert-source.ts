import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { acknowledgeAlert } from '../../kernel/alerts/alert-list.js';
import { ALERT_CODES, type AlertCode, alertKind } from '../../kernel/alerts/alert-table.js';
import type { InboxKind } from '../../kernel/api/catalogue/administration/inbox.js';
import type { AlertRow } from '../../kernel/store/rows.js';
import type { Key, Store } from '../../kernel/store/store.js';
import {
  INBOX_LIMITS,
  type InboxAction,
  type InboxCall,
  type InboxItem,
  type InboxScope,
  type InboxSource,
  type InboxState,
} from './inbox-source.js';

/** What sources over the table of alerts work with. */
export interface AlertSourceDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
}

/** Things that are alerts, and what a person does about each. */
export interface AlertSource {
  readonly kind: InboxKind;
  readonly codes: readonly AlertCode[];
  /** The action on an alert, and more of what it is about. */
  readonly about: (alert: AlertRow) => Promise<AlertAbout> | AlertAbout;
  /** Carries out the action on an alert that stands. It leaves the alert ended or acknowledged. */
  readonly act: (alert: AlertRow, call: InboxCall) => Promise<InboxState>;
}

/** What a source adds to an alert. */
export interface AlertAbout extends Pick<InboxItem, 'action'>, Partial<Pick<InboxItem, 'paymentId'>> {}

/** States of alerts that stand. */
const STANDING = ['open', 'acknowledged'] as const;

/** A source of alerts of some codes: those that stand, with an action of their own. */
export function alertSource(
  { store }: AlertSourceDeps,
  { kind, codes, about, act }: AlertSource,
): InboxSource {
  const isOurs = ({ code, endedAtMs }: AlertRow) =>
    endedAtMs === null && (codes as readonly string[]).includes(code);
  return {
    kind,
    codes,
    list: async (scope) => {
      const rows = (await standing(store, scope, codes)).filter(isOurs).slice(0, INBOX_LIMITS.perSource);
      return Promise.all(rows.map(async (row) => itemOf(kind, row, await about(row))));
    },
    resolve: async (call) => {
      const alert = await store.get('alerts', [call.id]);
      if (!alert || !(codes as readonly string[]).includes(alert.code) || !isIn(call, alert))
        return undefined;
      if (!isOurs(alert)) return alert.state;
      call.require((await about(alert)).action.right);
      return act(alert, call);
    },
  };
}

/** Acknowledges an alert: what stands about an event has ended then. */
export async function acknowledged(
  { clock }: Pick<AlertSourceDeps, 'clock'>,
  alert: AlertRow,
  { store, values }: InboxCall,
): Promise<InboxState> {
  for (let row: AlertRow | undefined = alert; row; row = await store.get('alerts', [alert.id])) {
    const ended = await acknowledgeAlert(store, row, values.get('note') ?? null, clock.nowMs());
    if (ended) return ended.state;
  }
  return 'cleared';
}

/** The action on an alert that a person only takes note of. */
export function acknowledgement(code: string, right: InboxAction['right']): InboxAction {
  const kind = alertKind(code);
  return {
    name: 'acknowledge',
    text: `${kind?.ends === 'cause' ? 'Records that a person deals with it' : 'Ends the alert'}; before: ${kind?.action ?? 'look at it'}.`,
    money: 'It moves no money.',
    right,
    parameters: [{ name: 'note', required: false }],
  };
}

/** Alerts that stand: of entities by their owners, of all by their codes, so that no flood of one code hides another. */
async function standing(
  store: Pick<Store, 'find'>,
  { owners }: InboxScope,
  codes: readonly AlertCode[],
): Promise<readonly AlertRow[]> {
  const first: readonly string[] = owners ?? codes;
  const keys = first.flatMap((each) => STANDING.map((state): Key => [each, state]));
  const index = owners ? 'entity' : 'code';
  const found: AlertRow[] = [];
  for (const key of keys) found.push(...(await store.find('alerts', index, key)));
  return found;
}

function isIn({ owners }: InboxScope, { entityId }: AlertRow): boolean {
  return owners === undefined || (entityId !== null && owners.includes(entityId));
}

function itemOf(kind: InboxKind, row: AlertRow, about: AlertAbout): InboxItem {
  const { id, code, severity, sinceMs, entityId, detail, acknowledgedAtMs, note } = row;
  const agentId = agentOf(row);
  return {
    ...{ kind, id, severity, sinceMs, entityId, detail },
    text: alertKind(code)?.text ?? code,
    ...(agentId !== undefined && { agentId }),
    ...(alertKind(code)?.subject === 'payment' && { paymentId: row.subject }),
    ...(acknowledgedAtMs !== null && { acknowledged: { atMs: acknowledgedAtMs, note } }),
    ...about,
  };
}

const ENTITY_ID = /^[0-9a-f]{32}$/;

/** The store of an alert whose subject names one. */
function agentOf({ code, subject }: AlertRow): string | undefined {
  if (!alertKind(code)?.subject.startsWith('agent')) return undefined;
  const [agentId = ''] = subject.split('/');
  return ENTITY_ID.test(agentId) ? undefined : agentId;
}

/** A source of alerts that a person only takes note of. */
export function notedAlerts(
  deps: AlertSourceDeps,
  kind: InboxKind,
  codes: readonly AlertCode[],
  money?: string,
): InboxSource {
  return alertSource(deps, {
    kind,
    codes,
    about: ({ code, entityId }) => {
      const action = acknowledgement(code, entityId === null ? 'operator' : 'administration');
      return { action: money === undefined ? action : { ...action, money } };
    },
    act: (alert, call) => acknowledged(deps, alert, call),
  });
}

/** The sources, and one of all alerts that none of them has. */
export function withOtherAlerts(
  deps: AlertSourceDeps,
  sources: readonly InboxSource[],
): readonly InboxSource[] {
  const taken = new Set(sources.flatMap(({ codes = [] }) => codes));
  return [
    ...sources,
    notedAlerts(
      deps,
      'alert',
      ALERT_CODES.filter((code) => !taken.has(code)),
    ),
  ];
}
