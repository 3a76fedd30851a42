import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Select } from '@tillbridge/panel-kit/components/field.js';
import { Page } from '@tillbridge/panel-kit/components/page.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/answers.js';
import type { GatewayClient } from '../api/gateway-client.js';
import { hashOf, type Location, locationOf, navigationOf, PLACES, type PlaceName } from '../model/places.js';
import { t } from '../texts/texts.js';
import { AccountView } from './account-view.js';
import { AuditView } from './audit-view.js';
import { InboxView } from './inbox/inbox-view.js';
import { PaymentView } from './payments/payment-view.js';
import { PaymentsView } from './payments/payments-view.js';
import { RequestsView } from './requests/requests-view.js';
import { UsersView } from './users-view.js';

/** What every view is given. */
export interface ViewProps {
  readonly client: GatewayClient;
  readonly session: Session;
  /** The merchant or channel that the view is about; undefined: all merchants. */
  readonly entityId: string | undefined;
  /** What the view is limited to, as the address has it. */
  readonly query: Location['query'];
  readonly onSignedOut: () => void;
}

/** What is drawn at each place of the navigation. */
const VIEWS: Readonly<Record<PlaceName, (props: ViewProps) => JSX.Element>> = {
  inbox: InboxView,
  payments: PaymentsView,
  payment: PaymentView,
  requests: RequestsView,
  users: UsersView,
  audit: AuditView,
  account: AccountView,
};

/** The page of a user who is signed in: navigation by role, the merchant or channel, and a view. */
export function Shell({ client, session, onSignedOut }: Omit<ViewProps, 'entityId' | 'query'>): JSX.Element {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const at = locationOf(hash, session);
  // Before any view is drawn: what it calls is about this one.
  client.entityId = at.entityId;
  const View = VIEWS[at.place];
  const signOut = async () => {
    await client.signOut(false).catch(() => undefined);
    onSignedOut();
  };
  const tools = (
    <>
      <EntitySwitch session={session} at={at} />
      <Button size="small" icon="person" onClick={signOut}>
        {t('signOut')}
      </Button>
    </>
  );
  return (
    <Page name={t('console')} tools={tools}>
      <div class="shell">
        <nav class="shell-navigation" aria-label={t('navigation')}>
          <ul>
            {navigationOf(session, at.entityId).map(({ name, title }) => (
              <li key={name}>
                <a
                  href={hashOf({ place: name, entityId: at.entityId })}
                  aria-current={currentOf(name, at.place)}
                >
                  {t(title)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main class="shell-main">
          <View
            key={`${at.place} ${at.entityId} ${at.query.id ?? ''}`}
            client={client}
            session={session}
            entityId={at.entityId}
            query={at.query}
            onSignedOut={onSignedOut}
          />
        </main>
      </div>
    </Page>
  );
}

/** Whether a place of the navigation is the one that is shown, or the one that led to it. */
function currentOf(name: PlaceName, shown: PlaceName): 'page' | 'true' | undefined {
  if (name === shown) return 'page';
  const place = PLACES.find((each) => each.name === shown);
  return place && 'within' in place && place.within === name ? 'true' : undefined;
}

/** Chooses the merchant or channel; nothing where there is none to choose. */
function EntitySwitch({
  session,
  at,
}: {
  readonly session: Session;
  readonly at: Location;
}): JSX.Element | null {
  const { entities, user } = session;
  if (entities.length + (user.isOperator ? 1 : 0) < 2) return null;
  const options = [
    ...(user.isOperator ? [{ value: '', label: t('allMerchants') }] : []),
    ...entities.map(({ id, name, kind }) => ({ value: id, label: kind === 'channel' ? `– ${name}` : name })),
  ];
  const choose = (entityId: string) => {
    location.hash = hashOf({ place: at.place, entityId: entityId === '' ? undefined : entityId });
  };
  return (
    <div class="entity-switch">
      <Select label={t('actingFor')} options={options} value={at.entityId ?? ''} onChange={choose} />
    </div>
  );
}
