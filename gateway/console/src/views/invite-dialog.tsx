import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Dialog } from '@tillbridge/panel-kit/components/dialog.js';
import { Field, Form } from '@tillbridge/panel-kit/components/field.js';
import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InvitedUser, ReachedEntity, UserRole } from '../api/answers.js';
import type { GatewayClient } from '../api/gateway-client.js';
import { t } from '../texts/texts.js';
import { RoleSelect } from './role-select.js';

/** Invites a person to a role for a merchant or channel. */
export function InviteDialog({
  client,
  entity,
  onInvited,
  onClose,
}: {
  readonly client: GatewayClient;
  readonly entity: ReachedEntity;
  readonly onInvited: (invited: InvitedUser) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<UserRole>('view');
  const [fault, setFault] = useState<string>();
  const invite = async () => {
    try {
      const invited = await client.invite({ email: email.trim(), name: name.trim(), role });
      onClose();
      await onInvited(invited);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      <p class="soft">{t('inviteWords', { name: entity.name })}</p>
      <Form label={t('invite')} onSubmit={invite}>
        <Field label={t('name')} autoComplete="off" value={name} onInput={setName} maxLength={100} required />
        <Field
          label={t('email')}
          autoComplete="off"
          value={email}
          onInput={setEmail}
          fault={fault}
          required
        />
        <RoleSelect value={role} onChange={setRole} />
        <Button type="submit" kind="primary">
          {t('inviteDo')}
        </Button>
      </Form>
    </Dialog>
  );
}

/** Shows the link of an invitation, this once. */
export function LinkDialog({
  invited: { user, link },
  onClose,
}: {
  readonly invited: InvitedUser;
  readonly onClose: () => void;
}): JSX.Element {
  const copy = async () => {
    await navigator.clipboard.writeText(link ?? '');
    showToast(t('copied'), 'good');
  };
  return (
    <Dialog title={link === undefined ? user.name : t('linkTitle')} onClose={onClose}>
      <p>{t(link === undefined ? 'linkNone' : 'linkWords', { email: user.email })}</p>
      {link !== undefined && (
        <>
          <code class="secret">{link}</code>
          <Button kind="primary" icon="copy" onClick={copy}>
            {t('copyLink')}
          </Button>
        </>
      )}
    </Dialog>
  );
}
