import { Select } from '@tillbridge/panel-kit/components/field.js';
import type { JSX } from 'preact';
import type { UserRole } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';
import { t } from '../texts/texts.js';

const ROLE_TEXTS: Readonly<Record<UserRole, TextKey>> = {
  view: 'roleView',
  support: 'roleSupport',
  finance: 'roleFinance',
  developer: 'roleDeveloper',
  admin: 'roleAdmin',
};

/** A role and what it is for. */
export function roleText(role: UserRole): string {
  return t(ROLE_TEXTS[role]);
}

/** Chooses a role. */
export function RoleSelect({
  value,
  onChange,
}: {
  readonly value: UserRole;
  readonly onChange: (role: UserRole) => void;
}): JSX.Element {
  const options = (Object.keys(ROLE_TEXTS) as UserRole[]).map((role) => ({
    value: role,
    label: roleText(role),
  }));
  return <Select label={t('role')} options={options} value={value} onChange={onChange} />;
}
