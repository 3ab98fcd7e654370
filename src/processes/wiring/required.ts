/** Throws an Error that names the variable which is missing. */
export function required(name: string, value: string | null): string {
  if (value === null) throw new Error(`${name} must be set when a role runs alone; \`npm start\` sets it`);
  return value;
}
