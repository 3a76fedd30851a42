import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Page } from '@tillbridge/panel-kit/components/page.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/answers.js';
import { CallRefusedError, GatewayClient } from '../api/gateway-client.js';
import { t } from '../texts/texts.js';
import { AcceptInvitation } from './accept-invitation.js';
import './app.css';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';

/** What the page shows. */
type Stage =
  | { readonly kind: 'looking' }
  | { readonly kind: 'away'; readonly fault: string }
  | { readonly kind: 'out'; readonly fault?: string }
  | { readonly kind: 'invited'; readonly invitation: string }
  | { readonly kind: 'in'; readonly session: Session };

/** The console. */
export function App(): JSX.Element {
  const [client] = useState(() => new GatewayClient());
  const [stage, setStage] = useState<Stage>(() => {
    const invitation = invitationInAddress();
    return invitation === undefined ? { kind: 'looking' } : { kind: 'invited', invitation };
  });
  const signedIn = (session: Session) => setStage({ kind: 'in', session });
  const look = async () => {
    try {
      signedIn(await client.session());
    } catch (error) {
      const isOut = error instanceof CallRefusedError && error.status === 401;
      setStage(isOut ? { kind: 'out' } : { kind: 'away', fault: (error as Error).message });
    }
  };
  useEffect(() => {
    if (stage.kind === 'looking') void look();
    client.onSignedOut = () =>
      setStage((now) => (now.kind === 'in' ? { kind: 'out', fault: t('sessionEnded') } : now));
  }, [stage.kind]);
  useEffect(() => {
    document.title = `tillbridge ${t('console')}`;
  }, []);

  if (stage.kind === 'in')
    return <Shell client={client} session={stage.session} onSignedOut={() => setStage({ kind: 'out' })} />;
  return (
    <Page name={t('console')}>
      {stage.kind === 'looking' && (
        <main class="sign-in">
          <p role="status">{t('looking')}</p>
        </main>
      )}
      {stage.kind === 'away' && (
        <main class="sign-in">
          <div class="form">
            <p role="alert">{stage.fault}</p>
            <Button onClick={() => setStage({ kind: 'looking' })}>{t('tryAgain')}</Button>
          </div>
        </main>
      )}
      {stage.kind === 'out' && <SignIn client={client} fault={stage.fault} onSignedIn={signedIn} />}
      {stage.kind === 'invited' && (
        <AcceptInvitation
          client={client}
          invitation={stage.invitation}
          onSignedIn={signedIn}
          onOver={() => setStage({ kind: 'out', fault: t('invitationOver') })}
        />
      )}
    </Page>
  );
}

/** The invitation behind `#invitation=`, which reaches no server and no log; it is taken out of the address and of the history. */
function invitationInAddress(): string | undefined {
  const invitation = /^#invitation=([\w-]{43})$/.exec(location.hash)?.[1];
  if (invitation !== undefined) history.replaceState(null, '', location.pathname);
  return invitation;
}
