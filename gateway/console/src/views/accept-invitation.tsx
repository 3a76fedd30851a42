import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Invitation, Session } from '../api/answers.js';
import { CallRefusedError, type GatewayClient } from '../api/gateway-client.js';
import { t } from '../texts/texts.js';
import { SignInCard, signInFault } from './sign-in.js';

/** An invited person chooses a password, adds the account to an authenticator app, and keeps the recovery codes. */
export function AcceptInvitation({
  client,
  invitation,
  onSignedIn,
  onOver,
}: {
  readonly client: GatewayClient;
  readonly invitation: string;
  readonly onSignedIn: (session: Session) => void;
  readonly onOver: () => void;
}): JSX.Element {
  const [open, setOpen] = useState<Invitation>();
  const [session, setSession] = useState<Session>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    client.invitation(invitation).then(setOpen, (error: unknown) => {
      if (error instanceof CallRefusedError) onOver();
      else setFault((error as Error).message);
    });
  }, []);
  const accept = async (password: string, code: string) => {
    setFault(undefined);
    try {
      setSession(await client.accept(invitation, password, code));
    } catch (error) {
      const status = error instanceof CallRefusedError ? error.status : undefined;
      if (status === 404) onOver();
      else setFault(status === 403 ? t('codeWrong') : signInFault(error));
    }
  };
  if (session) return <RecoveryCodes session={session} onKept={() => onSignedIn(session)} />;
  if (!open)
    return (
      <main class="sign-in">
        <p role="status">{fault ?? t('looking')}</p>
      </main>
    );
  return <AcceptForm invitation={open} fault={fault} onAccept={accept} />;
}

function AcceptForm({
  invitation: { email, name, secret, qrCode },
  fault,
  onAccept,
}: {
  readonly invitation: Invitation;
  readonly fault: string | undefined;
  readonly onAccept: (password: string, code: string) => Promise<void>;
}): JSX.Element {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  return (
    <SignInCard title={t('invited', { name })} words={t('invitedWords', { email })} fault={fault}>
      <Form label={t('accept')} onSubmit={() => onAccept(password, code.trim())}>
        <Field
          label={t('newPassword')}
          type="password"
          autoComplete="new-password"
          value={password}
          onInput={setPassword}
          required
        />
        <p class="soft">{t('passwordRule')}</p>
        <p>{t('scan')}</p>
        <img class="qr-code" src={qrCode} alt={t('qrCode')} width="192" height="192" />
        <code class="secret">{secret}</code>
        <Field
          label={t('firstCode')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onInput={setCode}
          maxLength={7}
          required
        />
        <Button type="submit" kind="primary" size="large">
          {t('accept')}
        </Button>
      </Form>
    </SignInCard>
  );
}

function RecoveryCodes({
  session: { recoveryCodes = [] },
  onKept,
}: {
  readonly session: Session;
  readonly onKept: () => void;
}): JSX.Element {
  return (
    <SignInCard title={t('recoveryTitle')} words={t('recoveryWords')} fault={undefined}>
      <ul class="recovery-codes">
        {recoveryCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button kind="primary" size="large" onClick={onKept}>
        {t('recoveryKept')}
      </Button>
    </SignInCard>
  );
}
