import { Moon, Sun } from 'lucide-react';
import { ICON_BUTTON } from '../../kit/control/icon-button.ts';
import { useTheme } from './theme.ts';

/** Named after the theme that it gives. */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = other === 'light' ? Sun : Moon;
  const name = other === 'light' ? 'Light theme' : 'Dark theme';
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={() => setTheme(other)}
      className={ICON_BUTTON}
    >
      <Icon className="size-5" aria-hidden="true" />
    </button>
  );
}
