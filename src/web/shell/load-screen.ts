import type { ComponentType } from 'react';
import { matchRoutes } from 'react-router';
import { type Screen, SCREENS } from './screens.ts';

const loaded = new Map<Screen, ComponentType>();
const PATHS = SCREENS.map((screen) => ({ path: screen.path, screen }));

/** Whether the page at this address can be shown at once. */
export function isLoaded(pathname: string): boolean {
  return loaded.has(screenAt(pathname));
}

/** Loads the screen at this address. A failed load shows an error and is retried later. */
export async function loadScreen(pathname: string): Promise<void> {
  const screen = screenAt(pathname);
  if (loaded.has(screen)) return;
  try {
    loaded.set(screen, await screen.load());
  } catch (error) {
    failures.set(screen, error);
  }
}

export function loadedScreen(screen: Screen): ComponentType {
  const component = loaded.get(screen);
  if (component) return component;
  const failure = failures.get(screen);
  failures.delete(screen);
  throw failure ?? new Error(`The page ${screen.path} was shown before it was loaded.`);
}

const failures = new Map<Screen, unknown>();

function screenAt(pathname: string): Screen {
  const route = matchRoutes(PATHS, pathname)?.at(-1)?.route;
  if (!route) throw new Error(`No page is found for ${pathname}, not even the one for all others.`);
  return route.screen;
}
