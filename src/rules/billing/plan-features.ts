// What stands behind the features that a plan lists. The specification names them; a note says what a name alone would leave
// open, so that nobody pays for what every plan has.

/** A feature that means what it says has no note. */
export const PLAN_FEATURE_NOTES: Readonly<Record<string, string>> = {
  'Up to $1000 investment':
    'In a strategy whose minimum is no higher. Practice money counts towards no plan: with it every strategy can be tried.',
  'Semi-automated trading': 'Orders follow the strategy in every plan; you start, pause and sell.',
  'Fully automated trading': 'The same in every plan.',
  'Basic analytics': 'The evidence, risk and result of each deployment, in every plan.',
  'Advanced analytics': 'Included in every plan.',
  'Custom alerts': 'You choose what is mailed and shown, in every plan.',
  'Portfolio optimization': 'Advice looks at all your deployments together, in every plan.',
  'API access': 'The documented API is open to every plan.',
  'Service level agreement': 'Agreed in writing with each client; none comes with the plan.',
};

/** Beside the plans. */
export const PLANS_DIFFER_IN =
  'All plans trade in the same way and show the same figures. They differ in the number of strategies, the total investment and the strategy builder.';
