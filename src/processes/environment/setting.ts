// Reads one setting. Each throws an Error that names the variable and what it accepts.

export function wholeNumber<Fallback extends number | null>(
  name: string,
  text: string | null,
  bounds: { fallback: Fallback; min: number; max: number },
): number | Fallback {
  if (text === null) return bounds.fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < bounds.min || value > bounds.max) {
    throw new Error(`${name} must be a whole number from ${bounds.min} to ${bounds.max}, not "${text}"`);
  }
  return value;
}

export function oneOf<Choice extends string>(
  name: string,
  text: string | null,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  if (text === null) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
  return found;
}
