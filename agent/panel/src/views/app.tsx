import { Badge, type Tone } from '@tillbridge/protocol/panel/components/badge.js';
import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Page } from '@tillbridge/protocol/panel/components/page.js';
import { timeText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AgentClient } from '../api/agent-client.js';
import type { Caller, LinkState } from '../api/answers.js';
import { keepToken, keptToken } from '../api/kept-token.js';
import { isSignedOut, LiveStore } from '../model/live-store.js';
import './app.css';
import { Dashboard } from './dashboard.js';
import { DayClose } from './day-close.js';
import { SignIn } from './sign-in.js';

/** How long the panel waits before it tries to sign in again with the token that it kept, in milliseconds. */
const AGAIN_MS = 1_000;

/** Who is signed in, or that it is not known yet. */
type Session =
  | { readonly kind: 'out'; readonly fault?: string }
  | { readonly kind: 'checking' }
  | { readonly kind: 'in'; readonly store: LiveStore };

/** The panel of the store. */
export function App(): JSX.Element {
  const [session, setSession] = useState<Session>({ kind: keptToken() === undefined ? 'out' : 'checking' });

  const signOut = (fault?: string) => {
    keepToken(undefined);
    setSession((old) => {
      if (old.kind === 'in') old.store.end();
      return { kind: 'out', ...(fault !== undefined && { fault }) };
    });
  };
  const signIn = (token: string, client: AgentClient, caller: Caller) => {
    keepToken(token);
    const store = new LiveStore(client, caller, () => signOut('This token is not known any more.'));
    setSession({ kind: 'in', store });
  };

  useEffect(() => {
    const token = keptToken();
    if (session.kind !== 'checking' || token === undefined) return undefined;
    let wait: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const client = new AgentClient(token);
    const check = async () => {
      try {
        const caller = await client.caller();
        if (!ended) signIn(token, client, caller);
      } catch (error) {
        if (ended) return;
        if (isSignedOut(error)) signOut('This token is not known any more.');
        else wait = setTimeout(check, AGAIN_MS);
      }
    };
    void check();
    return () => {
      ended = true;
      clearTimeout(wait);
    };
  }, [session.kind]);

  if (session.kind === 'in') return <SignedIn store={session.store} signOut={() => signOut()} />;
  return (
    <Page name="tillbridge">
      {session.kind === 'checking' ? (
        <main class="sign-in">
          <p role="status">Looking for the agent …</p>
        </main>
      ) : (
        <SignIn fault={session.fault} onSignedIn={signIn} />
      )}
    </Page>
  );
}

const LINKS: Readonly<Record<LinkState, { readonly tone: Tone; readonly text: string }>> = {
  up: { tone: 'good', text: 'Gateway connected' },
  connecting: { tone: 'warn', text: 'Connecting to the gateway' },
  down: { tone: 'bad', text: 'No gateway' },
};

function SignedIn({
  store,
  signOut,
}: {
  readonly store: LiveStore;
  readonly signOut: () => void;
}): JSX.Element {
  const { view } = store;
  const reached = useChosen(view, (all) => all.reached);
  const heardAtMs = useChosen(view, (all) => (all.reached ? undefined : all.heardAtMs));
  const link = useChosen(view, ({ status }) => status?.gateway.state);
  const journal = useChosen(view, ({ status }) => status?.journal.state);
  const name = useChosen(view, ({ status }) => status?.store.name ?? 'Store panel');
  const till = useChosen(view, ({ caller }) => caller.till);
  const [closing, setClosing] = useState(false);
  const states = (
    <>
      {link && reached && <Badge tone={LINKS[link].tone}>{LINKS[link].text}</Badge>}
      {journal === 'unavailable' && <Badge tone="bad">Journal unavailable: no sales</Badge>}
    </>
  );
  const tools = (
    <>
      {store.may('report') && (
        <Button size="small" icon="chart" onClick={() => setClosing(true)}>
          Day close
        </Button>
      )}
      <span class="who">Signed in as {till === undefined ? 'the store' : `till ${till}`}</span>
      <Button size="small" icon="person" onClick={signOut}>
        Sign out
      </Button>
    </>
  );
  return (
    <Page name={name} states={states} tools={tools}>
      {!reached && (
        <p class="banner" role="alert">
          {heardAtMs === undefined
            ? 'Connecting to the agent …'
            : `The agent is not reached. What you see is from ${timeText(new Date(heardAtMs).toISOString())}; the panel connects again by itself.`}
        </p>
      )}
      <Dashboard store={store} />
      {closing && <DayClose store={store} onClose={() => setClosing(false)} />}
    </Page>
  );
}
