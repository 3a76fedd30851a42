import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../api/answers.js';
import { CallRefusedError, type GatewayClient } from '../api/gateway-client.js';
import { t } from '../texts/texts.js';

/** The form by which a user signs in. */
export function SignIn({
  client,
  fault: before,
  onSignedIn,
}: {
  readonly client: GatewayClient;
  /** Why there is no session. */
  readonly fault: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}): JSX.Element {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [fault, setFault] = useState(before);
  const signIn = async () => {
    setFault(undefined);
    try {
      onSignedIn(await client.signIn(email.trim(), password, code.trim()));
    } catch (error) {
      setFault(signInFault(error));
      setCode('');
    }
  };
  return (
    <SignInCard title={t('signIn')} words={t('signInWords')} fault={fault}>
      <Form label={t('signIn')} onSubmit={signIn}>
        <Field label={t('email')} autoComplete="username" value={email} onInput={setEmail} required />
        <Field
          label={t('password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onInput={setPassword}
          required
        />
        <Field label={t('code')} autoComplete="one-time-code" value={code} onInput={setCode} maxLength={32} />
        <Button type="submit" kind="primary" size="large">
          {t('signIn')}
        </Button>
      </Form>
    </SignInCard>
  );
}

/** Why an attempt failed, in the words of the user. */
export function signInFault(error: unknown): string {
  if (!(error instanceof CallRefusedError)) return (error as Error).message;
  if (error.status === 403) return t('signInWrong');
  if (error.status === 429) return t('signInWait', { minutes: Math.ceil((error.retryAfter ?? 60) / 60) });
  return error.message;
}

/** A card in the middle of the page, before a user is signed in. */
export function SignInCard({
  title,
  words,
  fault,
  children,
}: {
  readonly title: string;
  readonly words: string;
  readonly fault: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <main class="sign-in">
      <section class="card" aria-labelledby="sign-in-title">
        <h2 class="dialog-title" id="sign-in-title">
          {title}
        </h2>
        <p class="soft">{words}</p>
        {fault !== undefined && (
          <p class="field-fault" role="alert">
            {fault}
          </p>
        )}
        {children}
      </section>
    </main>
  );
}
