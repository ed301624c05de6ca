use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::worker::{Health, Worker};

/// How a worker is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Policy {
    Random,
    RoundRobin,
}

/// What the router is told at its start.
#[derive(Debug, Clone)]
pub struct Config {
    pub policy: Policy,
    /// Seconds between two checks.
    pub interval: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            policy: Policy::Random,
            interval: 30,
        }
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Policy::Random => write!(f, "random"),
            Policy::RoundRobin => write!(f, "round robin"),
        }
    }
}

pub struct Router {
    workers: Arc<Mutex<HashMap<String, Worker>>>,
}

impl Router {
    pub fn add(&self, name: &str, worker: Worker) {
        let mut workers = self.workers.lock().unwrap();
        workers.insert(name.to_string(), worker);
    }

    /// Drop a worker.
    pub fn remove(&self, name: &str) {
        let mut workers = self.workers.lock().unwrap();
        workers.remove(name);
    }

    pub fn healthy(&self) -> usize {
        let workers = self.workers.lock().unwrap();
        workers.values().filter(|worker| worker.health() == Health::Good).count()
    }
}
