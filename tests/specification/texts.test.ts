// The texts of the specification stand in the product letter by letter, its misspellings among them. Where a departure
// replaces one, docs/departures.md says so. That each appears in its state is for the journeys.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = path.resolve(import.meta.dirname, '../../src');

/** What people can be shown, with the line breaks of markup and the escapes of code taken out. */
const shown = ['web', 'rules', 'server', 'contract']
  .flatMap((floor) => filesUnder(path.join(SOURCE, floor)))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll(/\{'\s*'\}/g, ' ')
  .replaceAll("\\'", "'")
  .replaceAll('’', "'")
  .replaceAll(/\s+/g, ' ');

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['dist', 'examples'].includes(entry.name) ? [] : filesUnder(at);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [at] : [];
  });
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'header, bell and footer': [
    'Sign Out',
    'Sign In',
    'Mark all as read',
    'Mark as read',
    'No notifications',
    'My Strategies',
    '9+',
  ],
  home: [
    'Go to Dashboard',
    'Get Started',
    'View Demo',
    'Average annual return',
    'Average Sharpe ratio',
    'Assets under management',
    '24.5%',
    '1.68',
    '$245M',
    'How It Works',
    'Featured Strategies',
  ],
  marketplace: [
    'Search for strategies...',
    'Loading strategies...',
    'Failed to load strategies. Please try again later.',
    'Try Again',
    'No strategies match your criteria',
    'Try adjusting your filters or search term',
  ],
  'strategy detail': [
    'Loading strategy details...',
    'Failed to load strategy details',
    'Strategy not found',
    'Back to Strategies',
    'Deploy Now',
    'Performance History',
    'Backtest Results',
    'Monthly Returns',
    'Recent Trades',
    'Download Complete Trade Log',
  ],
  login: [
    'Register',
    'Full Name',
    'Email Address',
    'Remember me',
    'Forgot password',
    'Please wait...',
    'Email is required',
    'Password is required',
    'Name is required',
    'Authentication failed. Please try again.',
    'Logged out',
  ],
  plans: ['Choose Your Subscripiton Plan', '-20%', 'Subscribe Now', 'Failed to load subscription plans'],
  questionnaire: [
    'Previous',
    'Next Question',
    'Complete Assessment',
    'Update Assessment',
    'Retake Assessment',
    'Please select an answer before continuing',
    'risk assessment. Please try again.',
  ],
  wizard: [
    'Loading deployment setup...',
    'Failed to load deployment information',
    'Back to Marketplace',
    'Risk Assessment',
    'Agreement',
    'Select Broker',
    'Connect Broker',
    'Configuration',
    'Confirmation',
    'Risk Profile Is Set',
    'Continue with Current Profile',
    'Sign Agreement',
    'Finish Signing!',
    'Failed to get agreement signing URL',
    'Failed to initialize signing experience. Please try again.',
    'Failed to load agreement. Please try again.',
    'No brokers available',
    'Please contact support to add broker integrations.',
    'Integration Coming Soon',
    'Choose Different Broker',
    'No broker selected',
    'Failed to initiate Interactive Brokers connection',
    'Interactive Brokers connection failed. Please try again.',
    'Failed to verify connection status',
    'Minimum: ',
    'Review Deployment',
    'Investment Agreement Signed',
    'Deploy Strategy',
    'Deploying...',
    'Failed to deploy strategy. Please try again.',
  ],
  dashboard: [
    'Welcome back',
    'Deploy Your First Strategy',
    'Deploy New Strategy',
    'Recommended Strategies',
    'Current Value',
    'Available Cash',
    'Position Value',
    'Active AI Models',
    'Unrealized P&L',
    'Portfolio Performance',
    'Active Positions',
    'Insufficient data to show performance chart. Deploy an AI-Model and wait for atleast 2 days to see account performance.',
  ],
  'deployed strategies': [
    'Your Active AI-Models',
    'No strategies deployed yet',
    'Browse AI Strategies',
    'Failed to load deployed strategies',
    'Active Strategies',
    'Open Positions',
    'Profitable',
    'Avg. Days Active',
    'All Status',
    'No strategies match your filters',
    'Underperforming',
  ],
  'deployment detail': [
    'Deployment not found',
    'Failed to load deployment details',
    'Back to Deployed Strategies',
    'Pending Deployment',
    'Pause Trading',
    'Resume Trading',
    'Settings',
    'Liquidate',
    'Approval Required',
    'Initial Investment',
    'Cash Balance',
    'Risk Level',
    'Win Rate',
    'Realized P&L',
    'No Active Positions',
    'Trades History',
    'Risk Metrics',
    'Strategy Settings',
    'Freeze Trading',
    'Disabled',
    'Refreshing..',
    'Save Changes',
  ],
  account: [
    'Your basic details are locked in with this account. Please contact support if you require the Name or Email address to be updated.',
    'Failed to connect broker. Broker integration is allowed only while deploying a strategy.',
    'Connected',
    'Change Password',
    'Failed to save notification preferences',
  ],
  'custom strategies': [
    'UI Builder',
    'AI Builder',
    'Create Strategy',
    'Creating Strategy...',
    'Back to Marketplace',
  ],
  'broker documentation': [
    'Coming soon',
    'Available',
    'Connection Failed',
    'Authentication Error',
    'Order Rejected',
    'Daily Reset',
    '23:45',
    '00:45',
  ],
  'failed application': ['Unexpected Application Error!'],
};

const CASES = Object.entries(TEXTS).flatMap(([screen, texts]) =>
  texts.map((text) => [screen, text] as const),
);

test.each(CASES)('%s: %s', (_screen, text) => {
  expect(shown.includes(text) || shown.includes(text.replaceAll('&', '&amp;')), text).toBe(true);
});
