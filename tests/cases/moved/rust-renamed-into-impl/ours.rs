pub struct Router {
    workers: Vec<Worker>,
}

impl Router {
    pub fn len(&self) -> usize {
        self.workers.len()
    }

    fn choose(&self, workers: &[Worker], key: u64) -> Option<usize> {
        let alive: Vec<usize> = workers.iter().filter(|w| w.alive()).map(|w| w.index).collect();
        if alive.is_empty() {
            return None;
        }
        let at = key as usize % alive.len();
        Some(alive[at])
    }
}
