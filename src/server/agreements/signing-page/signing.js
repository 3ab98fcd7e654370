// Runs in the signing page. Signing works without it; it only shows what is missing before the button is pressed,
// prevents a double submission, and notifies the embedding page when the signing is done.

const { view } = document.documentElement.dataset;
if (view === 'signing') watchForm();
if (view === 'signed') tellParent();

function watchForm() {
  const form = document.querySelector('form');
  const consent = document.querySelector('#consent');
  const name = document.querySelector('#name');
  const button = document.querySelector('#finish');
  const status = document.querySelector('#missing');

  const update = () => {
    const missing = [];
    if (!consent.checked) missing.push('tick the box');
    if (name.value.trim().length < 2) missing.push('type your full name');
    button.disabled = missing.length > 0;
    status.textContent = missing.length > 0 ? `To finish, ${missing.join(' and ')}.` : '';
  };
  form.addEventListener('input', update);
  form.addEventListener('submit', () => {
    // After this turn, so that the form is still sent.
    setTimeout(() => {
      button.disabled = true;
      status.textContent = 'Sealing the document.';
    });
  });
  addEventListener('pageshow', update);
  update();
}

function tellParent() {
  if (window.parent !== window) {
    window.parent.postMessage({ type: 'sessionEnd', sessionEndType: 'signing_complete' }, location.origin);
  } else {
    location.replace(document.querySelector('main').dataset.next);
  }
}
