import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AgentClient } from '../api/agent-client.js';
import type { Caller } from '../api/answers.js';
import { isSignedOut } from '../model/live-store.js';
import { t } from '../texts/texts.js';

/** What a token may be made of (RFC 6750 §2.1). Anything else would not even reach the agent. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,256}=*$/;

/** What the sign-in does. */
interface SignInProps {
  /** Why the session ended. */
  readonly fault: string | undefined;
  readonly onSignedIn: (token: string, client: AgentClient, caller: Caller) => void;
}

/** The form for the token of a till. It stays in this tab and is never shown. */
export function SignIn({ fault: before, onSignedIn }: SignInProps): JSX.Element {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState(before);
  const signIn = async () => {
    const given = token.trim();
    if (!TOKEN.test(given)) {
      setFault(t('noToken'));
      return;
    }
    const client = new AgentClient(given);
    try {
      onSignedIn(given, client, await client.caller());
    } catch (error) {
      setFault(isSignedOut(error) ? t('tokenUnknown') : (error as Error).message);
    }
  };
  return (
    <main class="sign-in">
      <section class="card" aria-labelledby="sign-in-title">
        <h2 class="dialog-title" id="sign-in-title">
          {t('signIn')}
        </h2>
        <p class="soft">{t('signInWords')}</p>
        <Form label={t('signIn')} onSubmit={signIn}>
          <Field
            label={t('token')}
            type="password"
            autoComplete="off"
            value={token}
            onInput={setToken}
            fault={fault}
            required
          />
          <Button type="submit" kind="primary" size="large">
            {t('signIn')}
          </Button>
        </Form>
      </section>
    </main>
  );
}
