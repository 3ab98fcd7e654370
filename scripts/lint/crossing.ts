import { importedFile, placeOf, type Place } from './place.ts';
import { FLOORS, type Floor } from './walls.ts';

/** What is wrong with this import of this file, or null. */
export function crossing(file: string, specifier: string): string | null {
  const from = placeOf(file);
  if (from === null) return null;
  const floor = FLOORS[from.floor];
  if (floor === undefined) return `${from.floor} is no floor: add it to scripts/lint/walls.ts`;
  const target = importedFile(file, specifier);
  if (target === null) return packageCrossing(floor, from, specifier);
  const to = placeOf(target);
  if (to === null) return `${from.floor} may not import ${target}`;
  if (to.floor !== from.floor) {
    const allowed = floor.floors.some((entry) => to.at === entry || to.at.startsWith(`${entry}/`));
    return allowed ? null : `${from.floor} may not import ${to.at}`;
  }
  return roomCrossing(floor, from, to);
}

function packageCrossing(floor: Floor, from: Place, specifier: string): string | null {
  const allowed = [...floor.packages, ...(floor.rooms?.[from.room]?.packages ?? [])];
  const fits = (name: string) =>
    specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`);
  return allowed.some(fits) ? null : `${nameOf(from)} may not use the package ${specifier}`;
}

function roomCrossing(floor: Floor, from: Place, to: Place): string | null {
  if (floor.rooms === undefined || from.room === '.' || from.room === to.room) return null;
  const room = floor.rooms[from.room];
  if (room === undefined) return `${nameOf(from)} is no room: add it to scripts/lint/walls.ts`;
  const open = floor.open ?? [];
  const allowed = [...(open.includes(from.room) ? [] : open), ...(room.rooms ?? [])];
  const fits = (entry: string) =>
    entry === to.room || (entry.endsWith('/*') && to.room.startsWith(entry.slice(0, -1)));
  return allowed.some(fits)
    ? null
    : `${nameOf(from)} may not import ${nameOf(to)}: see scripts/lint/walls.ts`;
}

const nameOf = ({ floor, room }: Place) => (room === '.' ? floor : `${floor}/${room}`);
