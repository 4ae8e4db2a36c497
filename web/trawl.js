// Every page is whole without this. It reads live pages again, sorts tables, and copies texts.
'use strict';
(() => {
  const make = (name, text, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = name;
    button.textContent = text;
    button.addEventListener('click', act);
    return button;
  };

  // Tables: a click on a header sorts by its column, a second one the other way round.
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const order = cell.dataset.order;
    return order === undefined ? cell.textContent.trim() : Number(order);
  };
  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
    rows.sort(([a], [b]) => {
      const both = typeof a === 'number' && typeof b === 'number';
      return (both ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true})) * (down ? -1 : 1);
    });
    body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((cell, at) => {
      if (at === column) cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
  };
  const makeSortable = (table) => {
    if (!table.tHead || table.tBodies[0].rows.length < 2) return;
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = make('sort', cell.textContent, () => sort(
          table, column,
          cell.hasAttribute('aria-sort') ? cell.getAttribute('aria-sort') === 'ascending' : cell.className === 'number'));
      cell.replaceChildren(button);
    });
  };

  const makeCopyable = (text) => {
    if (!navigator.clipboard) return;
    const button = make('copy', 'Copy', async () => {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = 'Copied';
    });
    text.before(button);
  };

  const dress = (part) => {
    part.querySelectorAll('main table').forEach(makeSortable);
    part.querySelectorAll('[data-copy]').forEach(makeCopyable);
  };
  dress(document);

  // Live pages: the content is read again and put in place of the old one, unless somebody is at work in it.
  const seconds = Number(document.body.dataset.refresh);
  if (!seconds) return;
  let stopped = false;
  const toggle = make('refresh', 'Stop refreshing', () => {
    stopped = !stopped;
    toggle.textContent = stopped ? 'Refresh again' : 'Stop refreshing';
  });
  document.querySelector('footer').prepend(toggle);
  const isBusy = (main) => document.hidden || main.contains(document.activeElement) && document.activeElement !== main ||
      String(getSelection()) !== '';
  setInterval(async () => {
    const main = document.querySelector('main');
    if (stopped || isBusy(main)) return;
    try {
      const answer = await fetch(location.href, {headers: {Accept: 'text/html'}});
      if (!answer.ok) return;
      const news = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = news.querySelector('main');
      if (!next || isBusy(main)) return;
      const open = [...main.querySelectorAll('details')].map((part) => part.open);
      const sorted = [...main.querySelectorAll('table')].map((table) => {
        const column = table.tHead ? [...table.tHead.rows[0].cells].findIndex((cell) => cell.hasAttribute('aria-sort')) : -1;
        return column < 0 ? null : [column, table.tHead.rows[0].cells[column].getAttribute('aria-sort') === 'descending'];
      });
      const scrolled = [...main.querySelectorAll('.wide')].map((box) => box.scrollLeft);
      main.replaceChildren(...next.childNodes);
      dress(document);
      main.querySelectorAll('details').forEach((part, at) => { part.open = open[at] || part.open; });
      main.querySelectorAll('table').forEach((table, at) => { if (sorted[at]) sort(table, ...sorted[at]); });
      main.querySelectorAll('.wide').forEach((box, at) => { box.scrollLeft = scrolled[at] || 0; });
      const foot = news.querySelector('footer p');
      if (foot) document.querySelector('footer p').replaceWith(foot);
    } catch (_) {
      // The server is away for now; the page stays as it is, and its footer says of when it is.
    }
  }, seconds * 1000);
})();
