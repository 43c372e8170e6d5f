"use strict";
// Film and timeline in step: the film runs on the robot's clock, and every entry has its time.

const film = document.querySelector("#stage video");
const still = document.querySelector("#still");
const entries = [...document.querySelectorAll("#timeline > li")];
const times = entries.map((entry) => Number(entry.dataset.sim));
const cursor = document.querySelector("#clocks .cursor");
const total = cursor ? Number(cursor.ownerSVGElement.dataset.total) : 0;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
let now = -1;
let sought = false; // whether it was we who moved the film

// A picture is in the page once; its twins get it from there when somebody can see them.
const sight = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    target.src = document.getElementById(target.dataset.same).src;
  }
}, { rootMargin: "50%" });
for (const twin of document.querySelectorAll("img[data-same]")) sight.observe(twin);

function mark(index, scroll) {
  if (index === now || !entries[index]) return;
  entries[now]?.removeAttribute("aria-current");
  now = index;
  entries[now].setAttribute("aria-current", "step");
  for (const link of document.querySelectorAll("[data-go]")) {
    link.classList.toggle("now", Number(link.dataset.go) === now);
  }
  if (still) show(entries[now]);
  if (scroll) bring(entries[now], 3);
}

// Moments out of sight are not laid out, and their heights are guesses: look again on the way.
function bring(entry, again) {
  if (entry !== entries[now]) return;
  entry.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  if (again) setTimeout(bring, 250, entry, again - 1);
}

function show(entry) {
  const seen = entry.querySelector(".seen img");
  if (!seen) return;
  const copy = new Image();
  copy.src = seen.src || document.getElementById(seen.dataset.same).src;
  copy.alt = seen.alt;
  still.replaceChildren(copy);
}

function point(seconds) {
  if (!cursor || !total) return;
  const x = String(Math.min(1, seconds / total) * 1000);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}

function go(index) {
  if (!entries[index]) return;
  mark(index, true);
  point(times[index]);
  if (film) {
    film.pause();
    sought = true;
    // A hair on, so that the picture of that time is shown and not the one before it.
    film.currentTime = Math.min(times[index] + 0.001, film.duration || times[index]);
  }
}

function at(seconds) {
  let found = 0;
  for (let i = 0; i < times.length && times[i] <= seconds + 0.001; i += 1) found = i;
  return found;
}

if (film) {
  film.addEventListener("timeupdate", () => {
    point(film.currentTime);
    if (film.paused) return;
    sought = false;
    mark(at(film.currentTime), true);
  });
  film.addEventListener("seeked", () => {
    if (film.paused && !sought) mark(at(film.currentTime), true);
    sought = false;
  });
}

document.addEventListener("click", (event) => {
  const picture = event.target.closest("figure img, .message img");
  if (picture) {
    const large = document.getElementById("large");
    const copy = picture.cloneNode();
    copy.removeAttribute("id");
    large.querySelector("img")?.remove();
    large.prepend(copy);
    large.showModal();
    return;
  }
  const link = event.target.closest("[data-go]");
  if (link) {
    event.preventDefault();
    go(Number(link.dataset.go));
    return;
  }
  if (event.target.closest("summary, details pre, a, button, dialog")) return;
  const entry = event.target.closest("#timeline > li");
  if (entry && !String(getSelection())) go(entries.indexOf(entry));
});

document.getElementById("large").addEventListener("click", (event) => event.currentTarget.close());
document.getElementById("back").addEventListener("click", () => go(Math.max(0, now - 1)));
document.getElementById("on").addEventListener("click", () => go(now + 1));

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key];
  if (step) {
    event.preventDefault();
    go(Math.max(0, now + step));
  } else if (event.key === " " && film && event.target === document.body) {
    event.preventDefault();
    film.paused ? film.play() : film.pause();
  } else if (event.key === "Enter" && entries.includes(event.target)) {
    go(entries.indexOf(event.target));
  }
});

if (entries.length) mark(0, false);
