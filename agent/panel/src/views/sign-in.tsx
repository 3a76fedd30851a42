import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AgentClient, SignInBy } from '../api/agent-client.js';
import type { SignedIn } from '../api/answers.js';
import { isSignedOut } from '../model/live-store.js';
import { t } from '../texts/texts.js';

/** What a token may be made of (RFC 6750 §2.1). Anything else would not even reach the agent. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,256}=*$/;

/** A one-time code as people type it. */
const CODE = /^[0-9A-Za-z]{4}[\s-]?[0-9A-Za-z]{4}$/;

/** What the sign-in does. */
interface SignInProps {
  readonly client: AgentClient;
  /** Why the session ended. */
  readonly fault: string | undefined;
  readonly onSignedIn: (signedIn: SignedIn) => void;
}

/** The form for the one-time code of a till, or its token. A code in the address, as from a picture that was scanned, is used at once. */
export function SignIn({ client, fault: before, onSignedIn }: SignInProps): JSX.Element {
  const [entered, setEntered] = useState('');
  const [fault, setFault] = useState(before);
  const signIn = async (given: string) => {
    const by = credentialOf(given.trim());
    if (!by) {
      setFault(t('noToken'));
      return;
    }
    try {
      onSignedIn(await client.signIn(by));
    } catch (error) {
      setFault(isSignedOut(error) ? t('tokenUnknown') : (error as Error).message);
    }
  };
  useEffect(() => {
    const code = codeInAddress();
    if (code !== undefined) void signIn(code);
  }, []);
  return (
    <SignInCard>
      <p class="soft">{t('signInWords')}</p>
      <Form label={t('signIn')} onSubmit={() => signIn(entered)}>
        <Field
          label={t('code')}
          type={entered.trim().length > CODE_LENGTH ? 'password' : 'text'}
          autoComplete="off"
          value={entered}
          onInput={setEntered}
          fault={fault}
          required
        />
        <Button type="submit" kind="primary" size="large">
          {t('signIn')}
        </Button>
      </Form>
    </SignInCard>
  );
}

/** Longest code, with its hyphen: what is longer is a token, and is not shown. */
const CODE_LENGTH = 9;

function credentialOf(given: string): SignInBy | undefined {
  if (CODE.test(given)) return { code: given };
  return TOKEN.test(given) ? { token: given } : undefined;
}

/** The code behind `#code=`, which reaches no server and no log; it is taken out of the address and of the history. */
function codeInAddress(): string | undefined {
  const code = /^#code=([0-9A-Za-z-]{8,9})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname);
  return code;
}

/** The form for the PIN of the cashier. */
export function Locked({
  client,
  onUnlocked,
  onSignedOut,
}: {
  readonly client: AgentClient;
  readonly onUnlocked: (signedIn: SignedIn) => void;
  readonly onSignedOut: (fault?: string) => void;
}): JSX.Element {
  const [pin, setPin] = useState('');
  const [fault, setFault] = useState<string>();
  const unlock = async () => {
    try {
      onUnlocked(await client.unlock(pin));
    } catch (error) {
      if (isSignedOut(error)) onSignedOut(t('pinEnded'));
      else setFault((error as Error).message);
      setPin('');
    }
  };
  return (
    <SignInCard>
      <p class="soft">{t('pinWords')}</p>
      <Form label={t('signIn')} onSubmit={unlock}>
        <Field
          label={t('cashierPin')}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          value={pin}
          onInput={setPin}
          fault={fault}
          required
        />
        <Button type="submit" kind="primary" size="large">
          {t('unlock')}
        </Button>
        <Button kind="quiet" onClick={() => onSignedOut()}>
          {t('signOut')}
        </Button>
      </Form>
    </SignInCard>
  );
}

function SignInCard({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <main class="sign-in">
      <section class="card" aria-labelledby="sign-in-title">
        <h2 class="dialog-title" id="sign-in-title">
          {t('signIn')}
        </h2>
        {children}
      </section>
    </main>
  );
}
