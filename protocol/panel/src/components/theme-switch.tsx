import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { applyTheme, storedTheme, type Theme } from '../theme.js';
import { Choice, type Option } from './field.js';

const THEMES: readonly Option<Theme>[] = [
  { value: 'system', label: 'As the system', icon: 'system' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
];

/** Chooses between light and dark. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (chosen: Theme) => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return <Choice label="Colours" options={THEMES} value={theme} onChange={choose} iconOnly />;
}
