// The steps of the wizard and the ways between them (specification section 4, wizard flow).

const STEPS = [
  'risk-assessment',
  'agreement',
  'broker-selection',
  'broker-connection',
  'configuration',
  'confirmation',
] as const;
export type Step = (typeof STEPS)[number];

const STEP_LABELS: Readonly<Record<Step, string>> = {
  'risk-assessment': 'Risk Assessment',
  agreement: 'Agreement',
  'broker-selection': 'Select Broker',
  'broker-connection': 'Connect Broker',
  configuration: 'Configuration',
  confirmation: 'Confirmation',
};

/** Without a provider there is nobody to agree with: a statement of the risks is signed. */
export function stepLabel(step: Step, hasProvider: boolean): string {
  return step === 'agreement' && !hasProvider ? 'Statement of Risks' : STEP_LABELS[step];
}

/** What is done so far, as the service and the draft know it. */
export type Progress = {
  readonly hasProfile: boolean;
  readonly isSigned: boolean;
  readonly isConnected: boolean;
  readonly isConfigured: boolean;
  /** Practice money: no broker and no signature. */
  readonly isPractice?: boolean;
};

/** The agreement is hidden once it is signed. */
export function visibleSteps({ isSigned, isPractice = false }: Progress): readonly Step[] {
  if (isPractice) return PRACTICE_STEPS;
  return STEPS.filter((step) => step !== 'agreement' || !isSigned);
}

/** Where the wizard begins: past everything that was settled before, but only when all of it was. */
export function firstStep({ hasProfile, isSigned, isPractice = false }: Progress): Step {
  if (isPractice) return hasProfile ? 'configuration' : 'risk-assessment';
  return hasProfile && isSigned ? 'broker-selection' : 'risk-assessment';
}

/** The asked step when what comes before it is done; else the step where something is still to do. */
export function reachableStep(asked: string | null, progress: Progress): Step {
  const step = STEPS.find((one) => one === asked);
  if (step === undefined) return firstStep(progress);
  if (progress.isPractice === true) return reachableInPractice(step, progress);
  if (step === 'agreement' && progress.isSigned) return 'broker-selection';
  const place = STEPS.indexOf(step);
  if (place > STEPS.indexOf('risk-assessment') && !progress.hasProfile) return 'risk-assessment';
  if (place > STEPS.indexOf('agreement') && !progress.isSigned) return 'agreement';
  if (place > STEPS.indexOf('broker-connection') && !progress.isConnected) return 'broker-selection';
  if (place > STEPS.indexOf('configuration') && !progress.isConfigured) return 'configuration';
  return step;
}

function reachableInPractice(step: Step, progress: Progress): Step {
  if (!PRACTICE_STEPS.includes(step)) return firstStep(progress);
  if (step !== 'risk-assessment' && !progress.hasProfile) return 'risk-assessment';
  return step === 'confirmation' && !progress.isConfigured ? 'configuration' : step;
}

const PRACTICE_STEPS: readonly Step[] = ['risk-assessment', 'configuration', 'confirmation'];

export function stepBefore(step: Step, progress: Progress): Step {
  const steps = visibleSteps(progress);
  return steps[Math.max(0, steps.indexOf(step) - 1)] ?? 'risk-assessment';
}

export function stepAfter(step: Step, progress: Progress): Step {
  const steps = visibleSteps(progress);
  return steps[steps.indexOf(step) + 1] ?? 'confirmation';
}
