import { Badge, type Tone } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Page } from '@tillbridge/panel-kit/components/page.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AgentClient } from '../api/agent-client.js';
import type { LinkState, SignedIn, Terminal } from '../api/answers.js';
import { isLocked, isSignedOut, LiveStore } from '../model/live-store.js';
import { selectedTerminal } from '../model/store-view.js';
import { todosOf } from '../model/todo.js';
import type { TextKey } from '../texts/en.js';
import { clockTime, t } from '../texts/texts.js';
import './app.css';
import { Dashboard } from './dashboard.js';
import { DayClose } from './day-close.js';
import { DisplayDialog } from './display-dialog.js';
import { Locked, SignIn } from './sign-in.js';
import { TODO_ID } from './todo-card.js';

/** How long the panel waits before it looks again for an agent that is away, in milliseconds. */
const AGAIN_MS = 1_000;

/** By which it shows that a person is at the page. */
const PERSON_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** Who is signed in, or that it is not known yet. */
type Session =
  /** `away`: the agent was not reached. */
  | { readonly kind: 'checking'; readonly away?: true }
  | { readonly kind: 'out'; readonly fault?: string }
  | { readonly kind: 'locked' }
  | { readonly kind: 'in'; readonly store: LiveStore };

/** The panel of the store. */
export function App(): JSX.Element {
  const [client] = useState(() => new AgentClient());
  const [session, setSession] = useState<Session>({ kind: 'checking' });

  const become = (next: Session) =>
    setSession((old) => {
      if (old.kind === 'in') old.store.end();
      return next;
    });
  const ended = (fault?: string) => become({ kind: 'out', ...(fault !== undefined && { fault }) });
  const signOut = async (fault?: string) => {
    ended(fault);
    await client.signOut().catch(() => undefined);
  };
  const signIn = ({ locked, ...caller }: SignedIn) => {
    if (locked) become({ kind: 'locked' });
    else {
      const away = (isLocked: boolean) => (isLocked ? become({ kind: 'locked' }) : ended(t('tokenRevoked')));
      become({ kind: 'in', store: new LiveStore(client, caller, away) });
    }
  };

  useEffect(() => {
    const attended = () => client.attended();
    for (const type of PERSON_EVENTS) addEventListener(type, attended, { capture: true, passive: true });
    return () => {
      for (const type of PERSON_EVENTS) removeEventListener(type, attended, { capture: true });
    };
  }, [client]);

  useEffect(() => {
    if (session.kind !== 'checking') return undefined;
    let wait: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const check = async () => {
      try {
        const caller = await client.caller();
        if (!isOver) signIn({ ...caller, locked: false });
      } catch (error) {
        if (isOver) return;
        if (isLocked(error)) become({ kind: 'locked' });
        else if (isSignedOut(error)) ended();
        else {
          setSession({ kind: 'checking', away: true });
          wait = setTimeout(check, AGAIN_MS);
        }
      }
    };
    void check();
    return () => {
      isOver = true;
      clearTimeout(wait);
    };
  }, [session.kind]);

  if (session.kind === 'in')
    return (
      <SignedInPage
        store={session.store}
        signOut={() => signOut()}
        lock={() => {
          become({ kind: 'locked' });
          void client.lock().catch(() => undefined);
        }}
      />
    );
  return (
    <Page name="tillbridge">
      {session.kind === 'checking' && (
        <main class="sign-in">
          <p role="status">{t(session.away ? 'agentAway' : 'lookingForAgent')}</p>
        </main>
      )}
      {session.kind === 'locked' && <Locked client={client} onUnlocked={signIn} onSignedOut={signOut} />}
      {session.kind === 'out' && <SignIn client={client} fault={session.fault} onSignedIn={signIn} />}
    </Page>
  );
}

const LINKS: Readonly<Record<LinkState | 'silent', { readonly tone: Tone; readonly text: TextKey }>> = {
  silent: { tone: 'bad', text: 'gatewaySilent' },
  up: { tone: 'good', text: 'gatewayUp' },
  connecting: { tone: 'warn', text: 'gatewayConnecting' },
  down: { tone: 'bad', text: 'gatewayDown' },
};

function SignedInPage({
  store,
  signOut,
  lock,
}: {
  readonly store: LiveStore;
  readonly signOut: () => unknown;
  readonly lock: () => unknown;
}): JSX.Element {
  const { view } = store;
  const reached = useChosen(view, (all) => all.reached);
  const receivedAtMs = useChosen(view, (all) => (all.reached ? undefined : all.receivedAtMs));
  const link = useChosen(view, ({ status }) => (status?.gateway.silent ? 'silent' : status?.gateway.state));
  const todos = useChosen(view, ({ status, queue, sales }) => todosOf(status, queue, sales).length);
  const journal = useChosen(view, ({ status }) => status?.journal.state);
  const name = useChosen(view, ({ status }) => status?.store.name ?? t('storePanel'));
  const till = useChosen(view, ({ caller }) => caller.till);
  const zone = useChosen(view, ({ status }) => status?.store.timeZone);
  const terminal = useChosen(view, selectedTerminal);
  const [closing, setClosing] = useState(false);
  const [displaying, setDisplaying] = useState<Terminal>();
  const states = (
    <>
      {link && reached && <Badge tone={LINKS[link].tone}>{t(LINKS[link].text)}</Badge>}
      {todos > 0 && (
        <button type="button" class="badge badge-warn to-do-jump" onClick={showTodos}>
          {t('toDoCount', { count: todos })}
        </button>
      )}
      {journal === 'unavailable' && <Badge tone="bad">{t('journalUnavailable')}</Badge>}
    </>
  );
  const tools = (
    <>
      {store.may('report') && (
        <Button size="small" icon="chart" onClick={() => setClosing(true)}>
          <span class="tool-words">{t('dayClose')}</span>
        </Button>
      )}
      {store.may('sell') && terminal && (
        <Button size="small" icon="screen" onClick={() => setDisplaying(terminal)}>
          <span class="tool-words">{t('customerDisplay')}</span>
        </Button>
      )}
      <span class="who">{till === undefined ? t('signedInAsStore') : t('signedInAsTill', { till })}</span>
      {store.view.value.caller.hasPin && (
        <Button size="small" onClick={lock}>
          {t('lock')}
        </Button>
      )}
      <Button size="small" icon="person" onClick={signOut}>
        {t('signOut')}
      </Button>
    </>
  );
  return (
    <Page name={name} states={states} tools={tools}>
      {!reached && (
        <p class="banner" role="alert">
          {receivedAtMs === undefined
            ? t('connectingToAgent')
            : t('agentNotReached', { time: clockTime(new Date(receivedAtMs).toISOString(), zone) })}
        </p>
      )}
      <Dashboard store={store} />
      {displaying && (
        <DisplayDialog store={store} terminal={displaying} onClose={() => setDisplaying(undefined)} />
      )}
      {closing && <DayClose store={store} onClose={() => setClosing(false)} />}
    </Page>
  );
}

/** What staff has to do stands below the sale on a narrow page. */
function showTodos(): void {
  const card = document.getElementById(TODO_ID);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}
