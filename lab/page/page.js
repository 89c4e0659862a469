// Updates the page from the lab's stream: the server sends words, which this script inserts as text.
'use strict';

const find = document.getElementById('find');
const show = document.getElementById('show');
const live = document.getElementById('live');
let stream = null;

// tell shows the state of the stream.
function tell(text, lost) {
  live.textContent = text;
  live.classList.toggle('lost', lost);
}

// fill inserts a row's values into its places.
function fill(tr, row) {
  tr.dataset.id = row.id;
  tr.className = row.class;
  for (const place of tr.querySelectorAll('[data-text]')) {
    place.textContent = row.texts[place.dataset.text] || '';
  }
  const bar = tr.querySelector('progress');
  if (bar) {
    bar.hidden = row.of === 0;
    bar.max = row.of || 1;
    bar.value = row.done;
  }
  for (const link of tr.querySelectorAll('a[data-of]')) {
    link.href = link.dataset.of + encodeURIComponent(row.id);
  }
  const verdict = tr.querySelector('.verdict');
  if (verdict) {
    verdict.className = 'mark verdict ' + (row.badge || '');
  }
  const run = tr.querySelector('a[data-run]');
  if (run && row.run) {
    run.href = '/runs/' + row.run;
  }
  const picture = tr.querySelector('.picture');
  if (picture) {
    draw(picture, row.picture || '');
  }
}

// draw shows the picture at an address, or hides the place without one.
function draw(place, address) {
  const image = place.querySelector('img');
  place.hidden = !address;
  if (address && image.getAttribute('src') !== address) {
    image.src = place.querySelector('a').href = address;
  }
}

// update applies the changes to a table.
function update(name, news) {
  const table = document.getElementById(name);
  const section = table.parentElement;
  const body = table.tBodies[0];
  const rows = new Map([...body.rows].map((tr) => [tr.dataset.id, tr]));
  for (const row of news.rows) {
    let tr = rows.get(row.id);
    if (!tr) {
      tr = section.querySelector('template').content.querySelector('tr').cloneNode(true);
      rows.set(row.id, tr);
    }
    fill(tr, row);
  }
  if (news.order || news.empty) {
    body.replaceChildren(...(news.order || []).map((id) => rows.get(id)));
  }
  section.querySelector('.none').hidden = !news.empty;
}

// sift hides rows that lack one of the words searched for, and boards of other kinds than selected.
function sift() {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const tr of document.querySelectorAll('tbody tr')) {
    const texts = [...tr.querySelectorAll('[data-text]')].map((place) => place.textContent);
    const text = texts.join(' ').toLowerCase();
    const kind = !show.value || !tr.closest('#boards') || tr.classList.contains(show.value);
    tr.hidden = !kind || !words.every((word) => text.includes(word));
  }
}

// begin follows the stream. The browser reconnects by itself unless the server rejects it.
function begin() {
  stream = new EventSource('/stream');
  stream.addEventListener('change', (e) => {
    const news = JSON.parse(e.data);
    document.getElementById('summary').textContent = news.summary;
    for (const name of Object.keys(news.tables)) {
      update(name, news.tables[name]);
    }
    if (find.value || show.value) {
      sift();
    }
    tell('live', false);
  });
  stream.addEventListener('same', () => tell('live', false));
  stream.addEventListener('end', () => {
    stream.close();
    tell('Session ended: reload the page', true);
  });
  stream.addEventListener('error', () => {
    const ended = stream.readyState === EventSource.CLOSED;
    tell(ended ? 'Session no longer valid: reload the page' :
      'No answer from the server: this is the last known state', true);
  });
}

// A hidden page closes its stream, since a browser has few connections per server.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    stream.close();
  } else {
    begin();
  }
});

// A page restored from the browser's cache is outdated.
addEventListener('pageshow', (e) => {
  if (e.persisted) {
    stream.close();
    begin();
  }
});

find.addEventListener('input', sift);
show.addEventListener('change', sift);
sift();
begin();
