import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Confirm } from '@tillbridge/panel-kit/components/dialog.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { InvitedUser, User, UserRole } from '../api/answers.js';
import { momentText, t } from '../texts/texts.js';
import { InviteDialog, LinkDialog } from './invite-dialog.js';
import { RoleSelect, roleText } from './role-select.js';
import type { ViewProps } from './shell.js';

/** What is done with a user, before it is confirmed. */
type Step = { readonly kind: 'role' | 'reset' | 'remove'; readonly user: User };

/** The users with a role for the merchant or channel. */
export function UsersView({ client, session, entityId }: ViewProps): JSX.Element {
  const [users, setUsers] = useState<readonly User[]>();
  const [fault, setFault] = useState<string>();
  const [step, setStep] = useState<Step>();
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<InvitedUser>();
  const load = () => client.users().then(setUsers, (error: unknown) => setFault((error as Error).message));
  useEffect(() => {
    void load();
  }, []);
  const entity = session.entities.find(({ id }) => id === entityId);
  const shown = async (result: InvitedUser) => {
    setInvited(result);
    await load();
  };
  return (
    <Card
      title={t('users')}
      tools={
        entity && (
          <Button kind="primary" size="small" icon="plus" onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      {!entity && <p class="soft">{t('chooseEntity')}</p>}
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {users?.length === 0 && <Empty>{t('noUsers')}</Empty>}
      {users && users.length > 0 && (
        <List label={t('users')}>
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              names={new Map(session.entities.map(({ id, name }) => [id, name]))}
              steps={user.id !== session.user.id ? stepsFor(entity !== undefined) : []}
              onStep={(kind) => setStep({ kind, user })}
            />
          ))}
        </List>
      )}
      {inviting && entity && (
        <InviteDialog client={client} entity={entity} onInvited={shown} onClose={() => setInviting(false)} />
      )}
      {invited && <LinkDialog invited={invited} onClose={() => setInvited(undefined)} />}
      {step?.kind === 'role' && entity && (
        <ChangeRole
          user={step.user}
          entityName={entity.name}
          before={step.user.roles.find((role) => role.entityId === entity.id)?.role}
          onChange={async (role) => {
            await client.setRole(step.user.id, role);
            await load();
          }}
          onClose={() => setStep(undefined)}
        />
      )}
      {step?.kind === 'reset' && (
        <Confirm
          title={t('resetUser')}
          action={t('resetUser')}
          danger
          onConfirm={async () => shown(await client.reset(step.user.id))}
          onClose={() => setStep(undefined)}
        >
          <p>{t('resetWords', { name: step.user.name })}</p>
        </Confirm>
      )}
      {step?.kind === 'remove' && (
        <Confirm
          title={t('removeUser')}
          action={t('removeUser')}
          danger
          onConfirm={async () => {
            await client.remove(step.user.id);
            await load();
          }}
          onClose={() => setStep(undefined)}
        >
          <p>{t('removeWords', { name: step.user.name })}</p>
        </Confirm>
      )}
    </Card>
  );
}

const STEP_TEXTS = { role: 'changeRole', reset: 'resetUser', remove: 'removeUser' } as const;

/** A role is one for a merchant or channel. */
function stepsFor(isAtEntity: boolean): readonly Step['kind'][] {
  return isAtEntity ? ['role', 'reset', 'remove'] : ['reset', 'remove'];
}

function UserRow({
  user,
  names,
  steps,
  onStep,
}: {
  readonly user: User;
  readonly names: ReadonlyMap<string, string>;
  readonly steps: readonly Step['kind'][];
  readonly onStep: (kind: Step['kind']) => void;
}): JSX.Element {
  const { name, email, state, invitedUntil, lastSignInAt, roles, isOperator } = user;
  const signIn =
    lastSignInAt === undefined ? t('neverSignedIn') : t('lastSignIn', { at: momentText(lastSignInAt) });
  const held = [
    ...(isOperator ? [t('operator')] : []),
    ...roles.map(({ entityId, role }) => `${names.get(entityId) ?? entityId}: ${roleText(role)}`),
  ];
  return (
    <ListItem
      main={
        <>
          {name}{' '}
          {state === 'active' ? (
            <Badge tone="good">{t('userActive')}</Badge>
          ) : (
            <Badge tone="warn">
              {t('userInvited', { until: invitedUntil === undefined ? '–' : momentText(invitedUntil) })}
            </Badge>
          )}
        </>
      }
      second={
        <>
          <p>
            {email}, {signIn}
          </p>
          {held.map((role) => (
            <p key={role}>{role}</p>
          ))}
        </>
      }
      end={
        <div class="user-actions">
          {steps.map((kind) => (
            <Button
              key={kind}
              size="small"
              kind={kind === 'role' ? 'plain' : 'quiet'}
              label={`${t(STEP_TEXTS[kind])}: ${name}`}
              onClick={() => onStep(kind)}
            >
              {t(STEP_TEXTS[kind])}
            </Button>
          ))}
        </div>
      }
    />
  );
}

function ChangeRole({
  user,
  entityName,
  before,
  onChange,
  onClose,
}: {
  readonly user: User;
  readonly entityName: string;
  readonly before: UserRole | undefined;
  readonly onChange: (role: UserRole) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [role, setRole] = useState<UserRole>(before ?? 'view');
  return (
    <Confirm
      title={t('changeRole')}
      action={t('changeRole')}
      onConfirm={() => onChange(role)}
      onClose={onClose}
    >
      <p>{t('changeRoleWords', { name: user.name, entity: entityName })}</p>
      <RoleSelect value={role} onChange={setRole} />
    </Confirm>
  );
}
