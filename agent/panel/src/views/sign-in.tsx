import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Field, Form } from '@tillbridge/protocol/panel/components/field.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AgentClient } from '../api/agent-client.js';
import type { Caller } from '../api/answers.js';
import { isSignedOut } from '../model/live-store.js';

/** What a token may be made of (RFC 6750 §2.1). Anything else would not even reach the agent. */
const TOKEN = /^[A-Za-z0-9._~+/-]{16,256}=*$/;

/** What the sign-in does. */
export interface SignInProps {
  /** Why nobody is signed in any more. */
  readonly fault: string | undefined;
  readonly onSignedIn: (token: string, client: AgentClient, caller: Caller) => void;
}

/** Asks for the token of a till. It is kept in this tab alone and never shown. */
export function SignIn({ fault: before, onSignedIn }: SignInProps): JSX.Element {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState(before);
  const signIn = async () => {
    const given = token.trim();
    if (!TOKEN.test(given)) {
      setFault('That is no token. It is the one text that was shown when the till was made.');
      return;
    }
    const client = new AgentClient(given);
    try {
      onSignedIn(given, client, await client.caller());
    } catch (error) {
      setFault(isSignedOut(error) ? 'This token is not known here.' : (error as Error).message);
    }
  };
  return (
    <main class="sign-in">
      <section class="card" aria-labelledby="sign-in-title">
        <h2 class="dialog-title" id="sign-in-title">
          Sign in
        </h2>
        <p class="soft">
          Use the token of your till. What you do is journaled under the name of that till. The token stays in
          this tab until you sign out or close it.
        </p>
        <Form label="Sign in" onSubmit={signIn}>
          <Field
            label="Token"
            type="password"
            autoComplete="off"
            value={token}
            onInput={setToken}
            fault={fault}
            required
          />
          <Button type="submit" kind="primary" size="large">
            Sign in
          </Button>
        </Form>
      </section>
    </main>
  );
}
